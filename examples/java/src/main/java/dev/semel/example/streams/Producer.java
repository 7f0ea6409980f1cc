package dev.semel.example.streams;

import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Appends the orders from its standard input, one per line. It repeats unanswered appends until the
 * server confirms that they are stored once. After a crash it gets the same lines again, and
 * continues where it was.
 */
final class Producer {
  /**
   * Small batches of some fifty orders, so that the demo can kill it in between; 1 MiB is usual.
   */
  private static final ProducerSettings SETTINGS =
      ProducerSettings.defaults().withMaxBatchBytes(1024);

  private Producer() {}

  public static void main(String[] arguments) throws IOException {
    try (StreamClient client = StreamClient.connect(URI.create(arguments[0]))) {
      DurableStream stream = client.stream(Order.STREAM).as(ContentType.JSON);
      try (IdempotentProducer producer = IdempotentProducer.open(stream, "till-1", SETTINGS)) {
        // After this message the server accepts nothing from an earlier life of till-1, so the
        // stream's present content is final.
        producer.append("{\"opened\":\"till-1\"}");
        producer.flush();
        long there = count(stream);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        lines.lines().skip(there).forEach(producer::append);
      } // which waits until all of them are in the stream
    }
  }

  private static long count(DurableStream stream) {
    long count = 0;
    try (StreamReader reader = stream.read(ReadOptions.from(ReadOptions.START))) {
      for (Optional<StreamChunk> chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
        count += chunk.get().messages().stream().flatMap(m -> Order.in(m).stream()).count();
      }
    }
    return count;
  }
}
