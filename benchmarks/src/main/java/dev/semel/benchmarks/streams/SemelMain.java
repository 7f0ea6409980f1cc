package dev.semel.benchmarks.streams;

import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import java.nio.file.Path;
import java.time.InstantSource;

/** Our server on a journal: every append is synced before its answer. */
final class SemelMain {
  private SemelMain() {}

  public static void main(String[] arguments) {
    JournalStreams streams =
        JournalStreams.open(
            Path.of(arguments[0]), InstantSource.system(), JournalStreams.Settings.defaults());
    SemelServer server =
        SemelServer.start(
            ServerSettings.defaults().withAddress("127.0.0.1", 0), ServerBackend.of(streams));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  streams.close();
                }));
    System.out.println(server.port());
  }
}
