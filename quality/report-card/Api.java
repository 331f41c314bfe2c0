import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

/** Calls with HttpClient, as a program does that knows of no fault: java Api.java address name fault... */
public class Api {
  public static void main(String[] told) throws Exception {
    var client = HttpClient.newHttpClient();
    for (int at = 2; at < told.length; at++) {
      var base = told[0] + "/lab/" + told[at];
      var isSession = told[at].equals("session-ends");
      var login = HttpRequest.newBuilder(URI.create(base + (isSession ? "/login" : "/api/auth/login")))
          .headers("X-Client-Name", told[1], "Content-Type", "application/x-www-form-urlencoded")
          .POST(BodyPublishers.ofString("username=user&password=user-demo")).build();
      var answer = client.send(login, BodyHandlers.ofString());
      var token = Pattern.compile("\"token\":\"([^\"]+)\"").matcher(answer.body());
      var proof = token.find() ? "Bearer " + token.group(1) : answer.headers().firstValue("Set-Cookie").orElse("");
      var call = HttpRequest.newBuilder(URI.create(base + "/api/user/secure"))
          .headers("X-Client-Name", told[1], isSession ? "Cookie" : "Authorization", proof.split(";")[0]).build();
      for (int turn = 0; turn < 3; turn++) {
        if (turn > 0 && told[at].equals("expires-soon")) Thread.sleep(3000);
        client.send(call, BodyHandlers.ofString());
      }
    }
  }
}
