package dev.semel.example.payments;

import dev.semel.server.SemelServer;
import dev.semel.server.Settings;
import dev.semel.stream.JournalStreams;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** What {@code semel serve} runs, for one database's messages: it outlives the application. */
final class Broker implements AutoCloseable {
  private final JournalStreams streams;
  private final SemelServer server;

  private Broker(JournalStreams streams) {
    this.streams = streams;
    this.server =
        SemelServer.start(
            Settings.defaults().withAddress("127.0.0.1", 0).withGrace(Duration.ZERO), streams);
  }

  static Broker start(Path folder) {
    return new Broker(
        JournalStreams.open(
            folder.resolve("streams"), InstantSource.system(), JournalStreams.Settings.defaults()));
  }

  String property() {
    return "payments.streams=http://127.0.0.1:" + server.port();
  }

  @Override
  public void close() {
    server.close();
    streams.close();
  }
}
