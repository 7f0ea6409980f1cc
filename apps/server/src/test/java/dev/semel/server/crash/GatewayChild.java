package dev.semel.server.crash;

import dev.semel.idempotency.MemoryStore;
import dev.semel.server.gateway.Gateway;
import dev.semel.server.gateway.GatewaySettings;
import dev.semel.server.gateway.Upstream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;

/** A gateway in a separate process: port of the service, file for the gateway's port. */
final class GatewayChild {
  private GatewayChild() {}

  public static void main(String[] arguments) throws Exception {
    MemoryStore store = new MemoryStore(InstantSource.system());
    Gateway gateway =
        Gateway.start(
            GatewaySettings.to(Upstream.parse("http://127.0.0.1:" + arguments[0]))
                .withAddress("127.0.0.1", 0, false),
            store);
    Path port = Path.of(arguments[1]);
    Path unfinished = port.resolveSibling("port.tmp");
    Files.writeString(unfinished, Integer.toString(gateway.port()));
    Files.move(unfinished, port, StandardCopyOption.ATOMIC_MOVE);
    // Ends with the parent process.
    if (System.in.read() >= 0) {
      gateway.close();
    }
    System.exit(0);
  }
}
