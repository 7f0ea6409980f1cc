package dev.semel.server.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.TestProcess;
import dev.semel.junit.proof.ProofRun;
import dev.semel.proof.fault.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * A crowd that never reads, on a server and a gateway of 256 MB each, beside callers that read:
 * none of these is refused, and memory does not grow.
 */
@Tag("proof")
final class StalledCrowdTest {
  /** Duration of the load, for a shorter run by hand. */
  private static final String SECONDS = "semel.crowd.seconds";

  private static final int READERS = 10_000;
  private static final int CALLERS = 5_000;
  private static final String STALLS = "/v1/stream/lines";
  private static final String HEALTHY = "/v1/stream/healthy";
  private static final String LARGE = "/v1/stream/numbers";
  private static final long HEAP_KILOBYTES = 256 << 10;

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private LargeAnswers answers;

  @BeforeEach
  void start() throws IOException {
    answers = new LargeAnswers(folder);
  }

  @AfterEach
  void stop() {
    answers.close();
  }

  @Test
  void takesNothingFromThoseWhoRead(TestReporter report) throws Exception {
    int seconds = Integer.getInteger(SECONDS, ProofRun.volume(100, 600));
    try (CrashingServer server = new CrashingServer(folder);
        StalledCallers readers = new StalledCallers(server.port());
        StalledCallers callers = new StalledCallers(answers.port())) {
      int port = server.port();
      fill(port);
      replay();
      Load warm = load(port, seconds / 5);
      Load before = load(port, seconds / 5);

      readers.ask(
          "GET %s?offset=-1&live=sse HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(STALLS),
          READERS);
      callers.ask(
          "POST /pay HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: one\r\nContent-Length: 2\r\n\r\n{}",
          CALLERS);
      assertThat(readers.answered()).isEqualTo(READERS);
      assertThat(callers.answered()).isEqualTo(CALLERS);
      long heap = heapAfterCollection(server.child());
      long gatewayHeap = heapAfterCollection(answers.gateway());
      Load with = load(port, seconds);
      long heapAtEnd = heapAfterCollection(server.child());
      long gatewayHeapAtEnd = heapAfterCollection(answers.gateway());

      report.publishEntry("stalled-readers", Integer.toString(READERS));
      report.publishEntry("stalled-callers", Integer.toString(CALLERS));
      report.publishEntry("seconds", Integer.toString(seconds));
      report.publishEntry("appends", Integer.toString(with.appends.count));
      report.publishEntry("append-p99-micros-without", Long.toString(before.appends.p99()));
      report.publishEntry("append-p99-micros-with", Long.toString(with.appends.p99()));
      report.publishEntry(
          "append-p99-ratio", "%.2f".formatted((double) with.appends.p99() / before.appends.p99()));
      report.publishEntry("healthz-p99-micros", Long.toString(with.health.p99()));
      report.publishEntry("server-heap-kb", heap + " then " + heapAtEnd);
      report.publishEntry("gateway-heap-kb", gatewayHeap + " then " + gatewayHeapAtEnd);
      report.publishEntry("server-rss-kb", Long.toString(server.kilobytes("VmRSS")));

      assertThat(warm.refused + before.refused + with.refused).as("healthy ones refused").isZero();
      assertThat(heapAtEnd).isLessThan(HEAP_KILOBYTES * 4 / 5);
      assertThat(gatewayHeapAtEnd).isLessThan(HEAP_KILOBYTES * 4 / 5);
      for (ChildJvm each : new ChildJvm[] {server.child(), answers.gateway()}) {
        assertThat(each.alive()).isTrue();
        assertThat(each.output()).doesNotContain("OutOfMemory", "OutOfDirectMemory");
      }
    }
  }

  @Test
  void theLargestBodiesHoldNobodyUp(TestReporter report) throws Exception {
    int seconds = Integer.getInteger(SECONDS, ProofRun.volume(30, 120));
    try (CrashingServer server = new CrashingServer(folder)) {
      int port = server.port();
      fill(port);
      byte[] numbers = new byte[(16 << 20) - 1];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = (byte) (i % 2 == 0 ? ',' : '1');
      }
      numbers[0] = '[';
      numbers[numbers.length - 1] = ']';
      AtomicBoolean over = new AtomicBoolean();
      int[] large = new int[2];
      Thread appends =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!over.get()) {
                      if (send(port, "POST", LARGE, "application/json", numbers) == 204) {
                        large[0]++;
                      }
                    }
                  });
      Thread reads =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!over.get()) {
                      if (get(port, LARGE + "?offset=-1") == 200) {
                        large[1]++;
                      }
                    }
                  });
      Load beside = load(port, seconds);
      over.set(true);
      appends.join();
      reads.join();
      report.publishEntry("large-appends", Integer.toString(large[0]));
      report.publishEntry("large-reads", Integer.toString(large[1]));
      report.publishEntry("healthz-p99-micros", Long.toString(beside.health.p99()));
      report.publishEntry("append-p99-micros", Long.toString(beside.appends.p99()));
      assertThat(large[0]).isPositive();
      assertThat(large[1]).isPositive();
      assertThat(beside.refused).isZero();
      assertThat(server.child().output()).doesNotContain("OutOfMemory", "OutOfDirectMemory");
    }
  }

  /** Durations of calls. */
  private static final class Times {
    private long[] micros = new long[1 << 12];
    private int count;

    void add(long nanos) {
      if (count == micros.length) {
        micros = Arrays.copyOf(micros, 2 * count);
      }
      micros[count++] = TimeUnit.NANOSECONDS.toMicros(nanos);
    }

    long p99() {
      long[] sorted = Arrays.copyOf(micros, count);
      Arrays.sort(sorted);
      return sorted[(int) (count * 0.99)];
    }
  }

  private static final class Load {
    private final Times appends = new Times();
    private final Times health = new Times();
    private int refused;
  }

  /** Healthy callers, one call after the other: append, read it, ask for health, replay. */
  private Load load(int port, int seconds) {
    Load load = new Load();
    byte[] message = "m".repeat(100).getBytes(StandardCharsets.US_ASCII);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (int i = 0; System.nanoTime() < end; i++) {
      long begun = System.nanoTime();
      load.refused += send(port, "POST", HEALTHY, "text/plain", message) == 204 ? 0 : 1;
      long appended = System.nanoTime();
      load.refused += get(port, "/healthz") == 200 ? 0 : 1;
      load.appends.add(appended - begun);
      load.health.add(System.nanoTime() - appended);
      if (i % 100 == 0) {
        load.refused += get(port, HEALTHY + "?offset=-1") == 200 ? 0 : 1;
        load.refused += replay() == 200 ? 0 : 1;
      }
    }
    return load;
  }

  private void fill(int port) {
    assertThat(send(port, "PUT", STALLS, "text/plain", new byte[0])).isEqualTo(201);
    assertThat(send(port, "PUT", HEALTHY, "text/plain", new byte[0])).isEqualTo(201);
    assertThat(send(port, "PUT", LARGE, "application/json", new byte[0])).isEqualTo(201);
    byte[] lines = "a line that many read\n".repeat(40_000).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 12; i++) {
      assertThat(send(port, "POST", STALLS, "text/plain", lines)).isEqualTo(204);
    }
  }

  private int replay() {
    return ask(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/pay".formatted(answers.port())))
            .header("Idempotency-Key", "one")
            .POST(BodyPublishers.ofString("{}"))
            .build());
  }

  private int send(int port, String method, String path, String type, byte[] body) {
    return ask(
        HttpRequest.newBuilder(uri(port, path))
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofByteArray(body))
            .build());
  }

  private int get(int port, String path) {
    return ask(HttpRequest.newBuilder(uri(port, path)).build());
  }

  private int ask(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(port, path));
  }

  /** In kilobytes. */
  private static long heapAfterCollection(ChildJvm child) {
    String unused = jcmd(child, "GC.run");
    Matcher used = Pattern.compile("used (\\d+)K").matcher(jcmd(child, "GC.heap_info"));
    long sum = 0;
    // Both generations; the metaspace follows in the same format.
    for (int generation = 0; generation < 2; generation++) {
      assertThat(used.find()).isTrue();
      sum += Long.parseLong(used.group(1));
    }
    return sum;
  }

  private static String jcmd(ChildJvm child, String command) {
    return TestProcess.run(TestProcess.tool("jcmd"), Long.toString(child.pid()), command);
  }
}
