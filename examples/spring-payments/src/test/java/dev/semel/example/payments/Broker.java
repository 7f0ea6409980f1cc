package dev.semel.example.payments;

import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.transport.StreamTransportSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/**
 * A server as {@code semel serve} runs it, for one database's messages; it outlives the
 * application.
 */
final class Broker implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final JournalStreams streams;
  private final SemelServer server;

  private Broker(JournalStreams streams) {
    this.streams = streams;
    this.server =
        SemelServer.start(
            ServerSettings.defaults().withAddress("127.0.0.1", 0).withGrace(Duration.ZERO),
            ServerBackend.of(streams));
  }

  static Broker start(Path folder) {
    return new Broker(
        JournalStreams.open(
            folder.resolve("streams"), InstantSource.system(), JournalStreams.Settings.defaults()));
  }

  /** The content of a destination's streams on the server. */
  String messages(String destination) throws IOException, InterruptedException {
    StreamClient client = StreamClient.connect(URI.create("http://127.0.0.1:" + server.port()));
    StringBuilder all = new StringBuilder();
    for (int partition = 0;
        partition < StreamTransportSettings.defaults().partitions();
        partition++) {
      URI stream = client.stream("payments/%s/%d".formatted(destination, partition)).url();
      HttpResponse<String> answer =
          HTTP.send(HttpRequest.newBuilder(stream).build(), BodyHandlers.ofString());
      if (answer.statusCode() == 200) {
        all.append(answer.body());
      }
    }
    return all.toString();
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
