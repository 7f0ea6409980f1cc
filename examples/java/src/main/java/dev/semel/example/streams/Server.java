package dev.semel.example.streams;

import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/** A small {@code semel serve}: streams over HTTP, in a journal that survives {@code kill -9}. */
final class Server {
  private Server() {}

  /** Arguments: a folder and a port; 0 means any free one. */
  public static void main(String[] arguments) throws IOException {
    ServerSettings settings =
        ServerSettings.defaults().withAddress("127.0.0.1", Integer.parseInt(arguments[1]));
    try (JournalStreams streams =
            JournalStreams.open(
                Path.of(arguments[0]), InstantSource.system(), JournalStreams.Settings.defaults());
        SemelServer server = SemelServer.start(settings, ServerBackend.of(streams))) {
      System.out.println(server.port());
      int unused = System.in.read(); // until the parent process ends
    }
  }
}
