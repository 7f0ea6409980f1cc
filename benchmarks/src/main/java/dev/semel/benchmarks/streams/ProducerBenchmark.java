package dev.semel.benchmarks.streams;

import dev.semel.benchmarks.Findings;
import dev.semel.benchmarks.Rounds;
import dev.semel.proof.fault.FaultProxy;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerAck;
import dev.semel.stream.client.ProducerListener;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.stream.client.StreamClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The Java producer against bare requests of the same size, and against itself with one request at
 * a time.
 */
public final class ProducerBenchmark {
  private static final int ROUNDS = 7;
  private static final Duration ROUND = Duration.ofSeconds(3);
  private static final int MESSAGE_BYTES = 100;
  private static final int[] MESSAGES_PER_BATCH = {10, 100, 1000};

  /** In each direction, so that an answer takes two milliseconds more. */
  private static final Duration DELAY = Duration.ofMillis(1);

  private final Findings out;
  private final StreamClient client = StreamClient.create();
  private int streams;

  private ProducerBenchmark(Findings out) {
    this.out = out;
  }

  /**
   * Prints the figures.
   *
   * @param folder for the data
   */
  public static void run(Findings out, Path folder) throws Exception {
    try (Served server = Served.java(SemelMain.class, folder.resolve("producer").toString());
        FaultProxy slow = FaultProxy.before(URI.create(server.url()).getPort())) {
      slow.delay(DELAY);
      new ProducerBenchmark(out).races(server.url(), "http://127.0.0.1:" + slow.port());
    }
  }

  private void races(String near, String far) throws Exception {
    Rounds rounds = new Rounds(out, ROUNDS);
    for (int messages : MESSAGES_PER_BATCH) {
      DurableStream stream = create(near);
      rounds.limit(
          "producer, 5 in flight, batches of %,d bytes".formatted(messages * MESSAGE_BYTES),
          () -> produce(stream, messages, 5),
          "bare requests, 5 at a time",
          () -> bare(stream.url(), messages * MESSAGE_BYTES),
          0.7);
    }
    DurableStream away = create(far);
    int messages = 100;
    rounds.limit(
        "producer, 5 in flight, 2 ms away",
        () -> produce(away, messages, 5),
        "producer, 1 in flight",
        () -> produce(away, messages, 1),
        4);
  }

  private DurableStream create(String server) {
    DurableStream stream = client.at(URI.create(server + "/v1/stream/produced" + streams++));
    stream.create(ContentType.BYTES);
    return stream;
  }

  private double produce(DurableStream stream, int messages, int inFlight) {
    AtomicLong batches = new AtomicLong();
    ProducerListener counting =
        new ProducerListener() {
          @Override
          public void acknowledged(ProducerAck ack) {
            batches.incrementAndGet();
          }
        };
    ProducerSettings settings =
        ProducerSettings.defaults()
            .withMaxBatchBytes(messages * MESSAGE_BYTES)
            .withLinger(Duration.ofSeconds(1))
            .withMaxInFlight(inFlight);
    byte[] message = new byte[MESSAGE_BYTES];
    Arrays.fill(message, (byte) 'x');
    long started = System.nanoTime();
    try (IdempotentProducer producer =
        IdempotentProducer.open(stream, "benchmark", settings, counting)) {
      while (System.nanoTime() - started < out.pace().round(ROUND).toNanos()) {
        producer.append(message);
      }
    }
    return batches.get() * 1e9 / (System.nanoTime() - started);
  }

  /** Uses the same client of the JDK and the same bodies, and nothing else. */
  private double bare(URI url, int bytes) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", ContentType.BYTES.text())
            .POST(BodyPublishers.ofByteArray(new byte[bytes]))
            .build();
    AtomicLong done = new AtomicLong();
    long started = System.nanoTime();
    try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        threads.add(Thread.ofVirtual().start(() -> repeat(http, request, started, done)));
      }
      for (Thread each : threads) {
        each.join();
      }
    }
    return done.get() * 1e9 / (System.nanoTime() - started);
  }

  private void repeat(HttpClient http, HttpRequest request, long started, AtomicLong done) {
    try {
      while (System.nanoTime() - started < out.pace().round(ROUND).toNanos()) {
        int status = http.send(request, BodyHandlers.discarding()).statusCode();
        if (status != 204) {
          throw new IOException("the server answered " + status);
        }
        done.incrementAndGet();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
