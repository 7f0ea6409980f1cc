package dev.semel.server.crash;

import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;

/** A server on a journal in a process that a test may kill: folder, file for the port. */
final class ServerChild {
  private ServerChild() {}

  public static void main(String[] arguments) throws Exception {
    JournalStreams streams =
        JournalStreams.open(
            Path.of(arguments[0]), InstantSource.system(), JournalStreams.Settings.defaults());
    ServerSettings settings = ServerSettings.defaults().withAddress("127.0.0.1", 0);
    // Servers cut slow readers; this one does not, however slow the machine is.
    ServerSettings patient =
        settings.withServing(settings.serving().withSseReconnect(Duration.ofMinutes(30)));
    SemelServer server = SemelServer.start(patient, ServerBackend.of(streams));
    Path port = Path.of(arguments[1]);
    Path unfinished = port.resolveSibling("port.tmp");
    Files.writeString(unfinished, Integer.toString(server.port()));
    Files.move(unfinished, port, StandardCopyOption.ATOMIC_MOVE);
    // A line asks for an orderly end; without a parent process, this one ends too.
    if (System.in.read() >= 0) {
      server.close();
      streams.close();
    }
    System.exit(0);
  }
}
