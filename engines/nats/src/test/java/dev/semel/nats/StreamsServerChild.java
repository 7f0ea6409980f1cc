package dev.semel.nats;

import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.SharedStreams;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A server on JetStream in a process that may be killed. Arguments: NATS's URL, and a file for the
 * port.
 */
final class StreamsServerChild {
  private StreamsServerChild() {}

  public static void main(String[] arguments) throws Exception {
    SharedStreams streams = JetStreamLog.openStreams(StreamsSettings.parse(arguments[0]));
    SemelServer server =
        SemelServer.start(
            ServerSettings.defaults().withAddress("127.0.0.1", 0), ServerBackend.of(streams));
    Path port = Path.of(arguments[1]);
    Path unfinished = port.resolveSibling(port.getFileName() + ".tmp");
    Files.writeString(unfinished, Integer.toString(server.port()));
    Files.move(unfinished, port, StandardCopyOption.ATOMIC_MOVE);
    int unused = System.in.read(); // ends with the parent process
    System.exit(0);
  }
}
