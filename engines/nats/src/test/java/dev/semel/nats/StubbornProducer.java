package dev.semel.nats;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Sends batch after batch, each as often as necessary, to any of several servers. */
final class StubbornProducer implements Runnable {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

  /** The totals of all producers of a run. */
  static final class Tally {
    final AtomicLong acknowledged = new AtomicLong();
    final AtomicLong duplicates = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<KilledStreamsServer> servers;
  private final String path;
  private final String id;
  private final Random random;
  private final Tally tally;
  private volatile boolean stopping;
  private volatile long acknowledged;

  StubbornProducer(
      List<KilledStreamsServer> servers, String path, String id, long seed, Tally tally) {
    this.servers = servers;
    this.path = path;
    this.id = id;
    this.random = new Random(seed);
    this.tally = tally;
  }

  void stop() {
    stopping = true;
  }

  long acknowledged() {
    return acknowledged;
  }

  @Override
  public void run() {
    while (!stopping) {
      long seq = acknowledged;
      while (!sent(seq)) {
        tally.failures.incrementAndGet();
      }
      acknowledged = seq + 1;
      tally.acknowledged.incrementAndGet();
    }
  }

  private boolean sent(long seq) {
    int port = servers.get(random.nextInt(servers.size())).port();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/stream/%s".formatted(port, path)))
            .timeout(ANSWER_LIMIT)
            .header("Content-Type", "text/plain")
            .header("Producer-Id", id)
            .header("Producer-Epoch", "0")
            .header("Producer-Seq", Long.toString(seq))
            .POST(BodyPublishers.ofString("%s:%d%n".formatted(id, seq)))
            .build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() == 204) {
        tally.duplicates.incrementAndGet();
      }
      return switch (response.statusCode()) {
        case 200, 204 -> true;
        case 429, 503 -> false;
        default ->
            throw new AssertionError(
                "%s: batch %d got %d: %s"
                    .formatted(id, seq, response.statusCode(), response.body()));
      };
    } catch (IOException e) {
      return false; // killed, or too slow: in doubt
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
