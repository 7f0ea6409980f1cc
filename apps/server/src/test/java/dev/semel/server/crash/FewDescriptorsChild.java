package dev.semel.server.crash;

import dev.semel.idempotency.MemoryStore;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.server.gateway.Gateway;
import dev.semel.server.gateway.GatewaySettings;
import dev.semel.server.gateway.Upstream;
import dev.semel.stream.MemoryStreams;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A server in a process with few descriptors: serve or gateway, file for the port. On "take" it
 * opens files until two more can be opened and no third; on "give" it closes them.
 */
final class FewDescriptorsChild {
  private static final int LEFT = 2;

  private FewDescriptorsChild() {}

  public static void main(String[] arguments) throws Exception {
    int port = arguments[0].equals("serve") ? serve() : gateway();
    tell(Path.of(arguments[1]), Integer.toString(port));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Deque<Closeable> taken = new ArrayDeque<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.equals("take")) {
        take(taken);
      }
      while (line.equals("give") && !taken.isEmpty()) {
        taken.pop().close();
      }
      System.out.println(line + " done");
    }
    System.exit(0);
  }

  private static void take(Deque<Closeable> taken) throws IOException {
    try {
      while (true) {
        taken.push(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      for (int i = 0; i < LEFT; i++) {
        taken.pop().close();
      }
    }
  }

  private static int serve() {
    return SemelServer.start(
            ServerSettings.defaults().withAddress("127.0.0.1", 0),
            ServerBackend.of(new MemoryStreams(InstantSource.system())))
        .port();
  }

  private static int gateway() {
    MemoryStore store = new MemoryStore(InstantSource.system());
    return Gateway.start(
            GatewaySettings.to(Upstream.parse("http://127.0.0.1:1"))
                .withAddress("127.0.0.1", 0, false),
            store)
        .port();
  }

  private static void tell(Path file, String text) throws IOException {
    Path unfinished = file.resolveSibling("unfinished");
    Files.writeString(unfinished, text);
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
