package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Producers and readers of one stream that know several servers, and the results that they got. */
final class RollingLoad {
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
  private static final Pattern LINE = Pattern.compile("([a-z])(\\d+);");
  private static final Pattern NEXT = Pattern.compile("\"streamNextOffset\":\"([^\"]+)\"");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Supplier<String> where;
  private final String path;
  private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> troubles = new ConcurrentHashMap<>();
  private final AtomicLong mostTries = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private final AtomicLong answers = new AtomicLong();
  private volatile boolean stopping;

  /**
   * @param where address for the next try
   */
  RollingLoad(Supplier<String> where, String path) {
    this.where = where;
    this.path = path;
  }

  void stop() {
    stopping = true;
  }

  long troubles() {
    return troubles.values().stream().mapToLong(AtomicLong::get).sum();
  }

  private void trouble(String what) {
    troubles.computeIfAbsent(what, w -> new AtomicLong()).incrementAndGet();
  }

  /** Sends batch after batch, each until it is acknowledged. */
  void produce(String id) {
    for (long seq = 0; !stopping; seq++) {
      long start = System.nanoTime();
      long tries = 1;
      while (!sent(id, seq)) {
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
        tries++;
      }
      mostTries.accumulateAndGet(tries, Math::max);
      slowestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
      acknowledged.put(id, seq + 1);
    }
  }

  private boolean sent(String id, long seq) {
    HttpRequest request =
        request("")
            .header("Content-Type", "text/plain")
            .header("Producer-Id", id)
            .header("Producer-Epoch", "0")
            .header("Producer-Seq", Long.toString(seq))
            .POST(BodyPublishers.ofString(id + seq + ";"))
            .build();
    try {
      int status = client.send(request, BodyHandlers.discarding()).statusCode();
      answers.incrementAndGet();
      return switch (status) {
        case 200, 204 -> true;
        case 503 -> {
          trouble("503");
          yield false;
        }
        default -> throw new AssertionError("batch %d of %s got %d".formatted(seq, id, status));
      };
    } catch (IOException e) {
      trouble("append: " + e);
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest.Builder request(String query) {
    return HttpRequest.newBuilder(URI.create(where.get() + path + query)).timeout(ANSWER_LIMIT);
  }

  /** Long-polls until the stream is closed, and returns all data. */
  String poll() throws InterruptedException {
    StringBuilder all = new StringBuilder();
    String offset = "-1";
    while (true) {
      try {
        HttpResponse<String> response =
            client.send(
                request("?live=long-poll&offset=" + offset).build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isIn(200, 204, 503);
        if (response.statusCode() == 503) {
          trouble("503 to a reader");
          continue;
        }
        all.append(response.body());
        offset = response.headers().firstValue("Stream-Next-Offset").orElseThrow();
        if (response.headers().firstValue("Stream-Closed").isPresent()) {
          return all.toString();
        }
      } catch (IOException e) {
        trouble("long-poll: " + e);
      }
    }
  }

  /** Reads events until the stream is closed, and returns all data. */
  String follow() throws InterruptedException {
    StringBuilder all = new StringBuilder();
    String offset = "-1";
    while (true) {
      StringBuilder pending = new StringBuilder();
      try (BufferedReader lines = events(offset)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (!line.startsWith("data:")) {
            continue;
          }
          Matcher control = NEXT.matcher(line);
          if (!control.find()) {
            pending.append(line.substring("data:".length()));
            continue;
          }
          all.append(pending); // counts only together with its end
          pending.setLength(0);
          offset = control.group(1);
          if (line.contains("\"streamClosed\":true")) {
            return all.toString();
          }
        }
      } catch (IOException | UncheckedIOException e) {
        trouble("events: " + e);
      }
    }
  }

  private BufferedReader events(String offset) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(where.get() + path + "?live=sse&offset=" + offset))
            .build();
    HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      throw new IOException("status " + response.statusCode());
    }
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /** All existing data, from this server. */
  String read(String url) throws IOException, InterruptedException {
    StringBuilder all = new StringBuilder();
    String offset = "-1";
    while (true) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(URI.create(url + path + "?offset=" + offset)).build(),
              BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      all.append(response.body());
      offset = response.headers().firstValue("Stream-Next-Offset").orElseThrow();
      if (response.headers().firstValue("Stream-Up-To-Date").isPresent()) {
        return all.toString();
      }
    }
  }

  /**
   * Checks that each producer's batches are there once and in order, including all acknowledged
   * ones.
   */
  void check(String all) {
    Map<String, List<Long>> seen = new HashMap<>();
    Matcher lines = LINE.matcher(all);
    while (lines.find()) {
      seen.computeIfAbsent(lines.group(1), k -> new ArrayList<>())
          .add(Long.parseLong(lines.group(2)));
    }
    assertThat(seen.keySet()).isEqualTo(acknowledged.keySet());
    acknowledged.forEach(
        (id, count) -> {
          List<Long> numbers = seen.getOrDefault(id, List.of());
          assertThat(numbers).as("messages of %s", id).hasSize(Math.toIntExact(count));
          for (int i = 0; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).as("message %d of %s", i, id).isEqualTo(i);
          }
        });
  }

  @Override
  public String toString() {
    return "%,d batches, %,d answers, troubles %s, at most %d tries, slowest batch %d ms"
        .formatted(
            acknowledged.values().stream().mapToLong(Long::longValue).sum(),
            answers.get(),
            troubles,
            mostTries.get(),
            Duration.ofNanos(slowestNanos.get()).toMillis());
  }
}
