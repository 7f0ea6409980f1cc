package dev.semel.endtoend;

import static org.awaitility.Awaitility.await;

import dev.semel.proof.fault.ChildJvm;
import dev.semel.server.AccessRules;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.client.StreamClient;
import dev.semel.testservices.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** A server of streams in a process of its own, on the same port and data after each kill. */
final class StreamsService implements BrokerService {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final int port = FreePorts.free();
  private final ChildJvm child;

  /**
   * Starts it.
   *
   * @param access a file of tokens, or nothing
   */
  StreamsService(Path folder, String... access) {
    String[] arguments = new String[2 + access.length];
    arguments[0] = folder.resolve("streams").toString();
    arguments[1] = Integer.toString(port);
    System.arraycopy(access, 0, arguments, 2, access.length);
    this.child = ChildJvm.start(Child.class, folder.resolve("server.log"), arguments);
    awaitListening();
  }

  private void awaitListening() {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              if (!child.alive()) {
                throw new AssertionError("the server did not come up\n" + child.output());
              }
              try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
                return true;
              } catch (IOException e) {
                return false;
              }
            });
  }

  @Override
  public String address() {
    return "http://127.0.0.1:" + port;
  }

  StreamClient client() {
    return StreamClient.connect(URI.create(address()));
  }

  void kill() {
    child.kill();
  }

  void restart() {
    child.restart();
    awaitListening();
  }

  void freeze() {
    child.pause();
  }

  void thaw() {
    child.resume();
  }

  @Override
  public void crash() {
    kill();
    restart();
  }

  @Override
  public void close() {
    child.close();
  }

  /** Folder, port, and a file of tokens if there is one. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      JournalStreams streams =
          JournalStreams.open(
              Path.of(arguments[0]), InstantSource.system(), JournalStreams.Settings.defaults());
      ServerSettings settings =
          ServerSettings.defaults().withAddress("127.0.0.1", Integer.parseInt(arguments[1]));
      SemelServer server =
          SemelServer.start(
              arguments.length > 2
                  ? settings.withAccess(AccessRules.parse(Path.of(arguments[2])))
                  : settings,
              ServerBackend.of(streams));
      if (System.in.read() < 0) {
        server.close(); // whoever started us is gone
        streams.close();
      }
      System.exit(0);
    }
  }
}
