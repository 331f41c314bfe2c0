import java.io.*;
import java.net.*;
import java.net.http.*;

/** Sends the calls on standard input, each as "method address", and prints the status of each: `HttpClient`, or `HttpURLConnection`. */
class Reactive {
  public static void main(String[] args) throws Exception {
    var login =
        new Authenticator() {
          @Override
          protected PasswordAuthentication getPasswordAuthentication() {
            return new PasswordAuthentication(args[1], args[2].toCharArray());
          }
        };
    var client = HttpClient.newBuilder().authenticator(login).build();
    Authenticator.setDefault(login);
    for (var line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      var call = line.split(" ");
      System.out.println(args[0].equals("HttpClient") ? modern(client, call) : classic(call));
    }
  }

  static int modern(HttpClient client, String[] call) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(call[1])).method(call[0], HttpRequest.BodyPublishers.noBody()).build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  static int classic(String[] call) throws Exception {
    var connection = (HttpURLConnection) URI.create(call[1]).toURL().openConnection();
    connection.setRequestMethod(call[0]);
    var status = connection.getResponseCode();
    var body = status < 400 ? connection.getInputStream() : connection.getErrorStream();
    if (body != null) body.readAllBytes();
    return status;
  }
}
