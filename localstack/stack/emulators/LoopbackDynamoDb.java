import java.util.Arrays;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/**
 * DynamoDB Local listens on every interface and has no option for that; this class makes it listen on the address
 * `gatehouse.host` only.
 */
class LoopbackDynamoDb {
  public static void main(String[] arguments) throws Exception {
    DynamoDBProxyServer proxy = ServerRunner.createServerFromCommandLineArgs(arguments);
    var field = DynamoDBProxyServer.class.getDeclaredField("server");
    field.setAccessible(true);
    var connectors = ((Server) field.get(proxy)).getConnectors();
    String host = System.getProperty("gatehouse.host");
    Arrays.stream(connectors).forEach((connector) -> ((ServerConnector) connector).setHost(host));
    proxy.start();
    proxy.join();
  }
}
