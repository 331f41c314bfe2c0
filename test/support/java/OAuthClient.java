import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Pattern;

/** Logs in at the issuer of its first argument as the client of its second one, with nothing but Java's own library. */
public class OAuthClient {
  private static final String REDIRECT = "http://127.0.0.1:8765/callback";

  private static String member(String name, String json) {
    var match = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(json);
    if (!match.find()) throw new IllegalStateException("no " + name + " in " + json);
    return match.group(1);
  }

  public static void main(String[] told) throws Exception {
    var http = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    var metadata = http.send(
        HttpRequest.newBuilder(URI.create(told[0] + "/.well-known/openid-configuration")).build(),
        BodyHandlers.ofString()).body();
    var verifier = "a-verifier-of-at-least-43-characters-0123456789";
    var digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes());
    var challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    var next = URI.create(member("authorization_endpoint", metadata) + "?response_type=code&scope=openid&state=s-1"
        + "&nonce=n-1&login_hint=ada&code_challenge_method=S256&code_challenge=" + challenge + "&client_id=" + told[1]
        + "&redirect_uri=" + REDIRECT);
    while (!next.toString().startsWith(REDIRECT)) {
      var answer = http.send(HttpRequest.newBuilder(next).build(), BodyHandlers.discarding());
      next = next.resolve(answer.headers().firstValue("location").orElseThrow());
    }
    var code = Pattern.compile("[?&]code=([^&]+)").matcher(next.toString());
    if (!code.find() || !next.toString().contains("state=s-1")) throw new IllegalStateException(next.toString());
    var form = "grant_type=authorization_code&client_id=" + told[1] + "&code=" + code.group(1) + "&code_verifier="
        + verifier + "&redirect_uri=" + REDIRECT;
    var tokens = http.send(
        HttpRequest.newBuilder(URI.create(member("token_endpoint", metadata)))
            .header("content-type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form)).build(),
        BodyHandlers.ofString()).body();
    var user = http.send(
        HttpRequest.newBuilder(URI.create(member("userinfo_endpoint", metadata)))
            .header("authorization", "Bearer " + member("access_token", tokens)).build(),
        BodyHandlers.ofString()).body();
    System.out.println(member("sub", user));
  }
}
