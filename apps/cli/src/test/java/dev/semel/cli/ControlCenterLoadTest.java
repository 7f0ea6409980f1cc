package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.FirstExecution;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.remote.RemoteControlCenter;
import dev.semel.event.Event;
import dev.semel.event.spi.EventSink;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.loop.internal.Loop;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.RedisService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** The control center before a busy store and a large one, with the launcher's flags. */
@Tag("proof")
final class ControlCenterLoadTest {
  private static final Pattern ADDRESS =
      Pattern.compile("administering \\S+ on (http://127\\.0\\.0\\.1:\\d+)/api/v1");

  /** As many processes as report 500 events a second each. */
  private static final int PROCESSES = 20;

  private static final Duration BUSY = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofMillis(50);
  private static final int KEYS = 1_000_000;
  private static final int CLAIMANTS = 64;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicLong reported = new AtomicLong();

  @TempDir Path folder;

  private SemelProcess serve(String store) {
    return SemelProcess.asLaunched(
        folder, "serve", "--port", "0", "--streams", "memory:", "--store", store);
  }

  private static URI address(SemelProcess server) throws IOException {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !server.isAlive() || ADDRESS.matcher(server.errSoFar()).find());
    Matcher address = ADDRESS.matcher(server.errSoFar());
    assertThat(address.find()).as(server.errSoFar()).isTrue();
    return URI.create(address.group(1));
  }

  /** One second of a process: its events, and their way into the store. */
  private boolean report(EventSink sink, int process) {
    FirstExecution first = new FirstExecution("", 1, Duration.ofSeconds(1), Duration.ofHours(1));
    for (int i = 0; i < EventSink.MAX_NOTABLE; i++) {
      sink.on(new Event.Replayed(Key.of("payments", process + "-" + i), "", first));
    }
    sink.flush();
    reported.addAndGet(EventSink.MAX_NOTABLE);
    return false;
  }

  @Test
  void tenThousandEventsASecondDoNotSlowItDown(TestReporter report) throws Exception {
    try (RedisService redis = RedisService.start("--appendonly", "no");
        RedisStore store = RedisStore.open(redis.url())) {
      SemelProcess server = serve(redis.url());
      List<Loop> processes = new ArrayList<>();
      try (InputStream live = follow(address(server))) {
        URI at = address(server);
        AtomicLong followed = new AtomicLong();
        Thread follower = Thread.ofVirtual().start(() -> count(live, followed));
        IntStream.range(0, PROCESSES)
            .forEach(
                process -> {
                  EventSink sink =
                      new EventSink(store.events(), InstantSource.system(), key -> false);
                  processes.add(
                      Loop.start(
                          "process-" + process,
                          () -> report(sink, process),
                          Duration.ofSeconds(1)));
                });
        Latencies latencies = new Latencies();
        long end = System.nanoTime() + BUSY.toNanos();
        while (System.nanoTime() - end < 0) {
          for (String path :
              List.of("stats", "keys?limit=100", "queues", "audit?limit=100", "alerts", "health")) {
            latencies.time(() -> get(at.resolve("/api/v1/" + path)));
          }
        }
        long events = reported.get();
        assertThat(events).isGreaterThan(0);
        report.publishEntry("events", "" + events);
        assertThat(followed).as("events of the feed").hasPositiveValue();
        assertThat(follower.isAlive()).as("the feed goes on").isTrue();
        System.out.printf(
            "%d events in %d s (%d/s), %d of them followed: %s%n",
            events,
            BUSY.toSeconds(),
            events / BUSY.toSeconds(),
            followed.get(),
            latencies.beside(LIMIT));
      } finally {
        processes.forEach(Loop::close);
        server.kill();
      }
    }
  }

  private InputStream follow(URI server) throws Exception {
    HttpResponse<InputStream> feed =
        client.send(
            HttpRequest.newBuilder(server.resolve("/api/v1/events")).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(feed.statusCode()).isEqualTo(200);
    return feed.body();
  }

  /** Counts until the server ends. */
  private static void count(InputStream feed, AtomicLong events) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(feed, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data:")) {
          events.incrementAndGet();
        }
      }
    } catch (IOException e) {
      // The server has ended.
    }
  }

  private void get(URI address) throws Exception {
    HttpResponse<String> answer =
        client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(address.getPath()).isEqualTo(200);
  }

  @Test
  void aMillionKeysArePagedThrough(TestReporter report) throws Exception {
    try (RedisService redis = RedisService.start("--appendonly", "no");
        RedisStore store = RedisStore.open(redis.url())) {
      fill(store);
      SemelProcess server = serve(redis.url());
      try (ControlCenter center = new RemoteControlCenter(address(server), "")) {
        Latencies pages = new Latencies();
        long[] seen = {0};
        String[] cursor = {""};
        do {
          pages.time(
              () -> {
                ControlCenter.KeyPage page =
                    center.keys(KeyFilter.ALL, cursor[0], ControlCenter.MAX_PAGE);
                seen[0] += page.keys().size();
                cursor[0] = page.next();
              });
        } while (!cursor[0].isEmpty());
        assertThat(seen[0]).isEqualTo(KEYS);
        report.publishEntry("keys", "" + KEYS);
        Latencies stats = new Latencies();
        stats.time(center::stats);
        System.out.printf(
            "%d keys, pages of %d: %s; stats once: %s%n",
            seen[0], ControlCenter.MAX_PAGE, pages.beside(LIMIT), stats.beside(LIMIT));
      } finally {
        server.kill();
      }
    }
  }

  private static void fill(RedisStore store) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int claimant = 0; claimant < CLAIMANTS; claimant++) {
      int first = claimant;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = first; i < KEYS; i += CLAIMANTS) {
                      store
                          .idempotency()
                          .claim(
                              new ClaimRequest(
                                  Key.of("payments", "order-" + i),
                                  Token.draw(),
                                  Fingerprint.NONE,
                                  Duration.ofHours(1),
                                  Duration.ofDays(1),
                                  TakeoverPolicy.IN_DOUBT,
                                  ""));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Durations of calls. For one thread. */
  private static final class Latencies {
    private final List<Long> nanos = new ArrayList<>();

    /** One call. */
    interface Call {
      void run() throws Exception;
    }

    void time(Call call) throws Exception {
      long start = System.nanoTime();
      call.run();
      nanos.add(System.nanoTime() - start);
    }

    private double millis(double share) {
      List<Long> sorted = nanos.stream().sorted().toList();
      return sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * share))) / 1e6;
    }

    /** Compares a duration with its limit for a report; asserts nothing. */
    String beside(Duration limit) {
      return "%d calls, p50 %.1f ms, p99 %.1f ms, %.2f of the limit of %d ms"
          .formatted(
              nanos.size(),
              millis(0.5),
              millis(0.99),
              millis(0.99) / limit.toMillis(),
              limit.toMillis());
    }
  }
}
