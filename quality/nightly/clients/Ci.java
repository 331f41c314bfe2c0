import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Logs in, and calls an endpoint without and with the token: what a test of a client does first. */
class Ci {
  static final HttpClient CLIENT = HttpClient.newHttpClient();

  public static void main(String[] given) throws Exception {
    var form = "username=%s&password=%s".formatted(given[1], given[2]);
    var login = HttpRequest.newBuilder(URI.create(given[0] + "/api/auth/login"))
        .header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form)).build();
    var token = CLIENT.send(login, BodyHandlers.ofString()).body().replaceAll(".*\"token\":\"([^\"]+)\".*", "$1");
    var call = HttpRequest.newBuilder(URI.create(given[0] + "/api/admin/secure"));
    System.out.println(statusOf(call) + " " + statusOf(call.header("Authorization", "Bearer " + token)));
  }

  static int statusOf(HttpRequest.Builder call) throws Exception {
    return CLIENT.send(call.copy().build(), BodyHandlers.discarding()).statusCode();
  }
}
