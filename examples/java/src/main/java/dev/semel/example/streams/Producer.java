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
 * Appends the orders of its standard input, a line each. While it lives, it repeats what has no
 * answer until the server says that it is there, once. After a crash it is given the same lines,
 * and goes on where it was.
 */
final class Producer {
  /** Batches of some fifty orders, so that there is a middle to be killed in; 1 MiB is usual. */
  private static final ProducerSettings SETTINGS =
      ProducerSettings.defaults().withMaxBatchBytes(1024);

  private Producer() {}

  public static void main(String[] arguments) throws IOException {
    try (StreamClient client = StreamClient.connect(URI.create(arguments[0]))) {
      DurableStream stream = client.stream(Order.STREAM).as(ContentType.JSON);
      try (IdempotentProducer producer = IdempotentProducer.open(stream, "till-1", SETTINGS)) {
        // The server takes nothing from an earlier life of till-1 behind this message. So what is
        // there now is all that is there of it.
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
