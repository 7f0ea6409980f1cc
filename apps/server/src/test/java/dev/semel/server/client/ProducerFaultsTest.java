package dev.semel.server.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.proof.fault.FaultProxy;
import dev.semel.proof.fault.FaultProxy.Weather;
import dev.semel.server.crash.CrashingServer;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerAck;
import dev.semel.stream.client.ProducerListener;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamReader;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred thousand messages through a network that cuts connections, is late, and loses answers
 * and requests, to a server that restarts meanwhile: each message is there once, in order.
 */
@Tag("service")
class ProducerFaultsTest {
  private static final int MESSAGES = 100_000;

  /** Number of faults of each kind, spread over all messages. */
  private static final int ROUNDS = 3;

  private static final int KINDS = 5;
  private static final ContentType TEXT = ContentType.parse("text/plain");
  private static final Duration SLOW = Duration.ofMillis(5);
  private static final Duration QUIET = Duration.ofMillis(300);

  @TempDir Path folder;

  private final AtomicLong acknowledged = new AtomicLong();

  /** Restarts the server. */
  @FunctionalInterface
  private interface Restart {
    /** Returns its new port. */
    int run(FaultProxy network) throws Exception;
  }

  @Test
  void eachIsOnceOnOurServerThatIsKilled() throws Exception {
    try (CrashingServer server = new CrashingServer(folder)) {
      run(
          server.port(),
          network -> {
            server.killAndRestart();
            return server.port();
          });
    }
  }

  /**
   * The public server is stopped in order and when idle. Otherwise it keeps data but forgets the
   * producers' state, so that it would store messages twice.
   */
  @Test
  @Tag("proof")
  void eachIsOnceOnThePublicServer() throws Exception {
    try (AnyServer.Node server = AnyServer.node(folder)) {
      run(
          server.port(),
          network -> {
            network.set(Weather.SILENT);
            try (StreamClient client = StreamClient.create()) {
              awaitIdle(client.at(address(server.port())));
            }
            network.set(Weather.CUT);
            server.stopInOrder();
            server.start();
            return server.port();
          });
    }
  }

  private void run(int port, Restart restart) throws Exception {
    int[] at = {port};
    try (FaultProxy proxy = FaultProxy.before(port);
        StreamClient client = StreamClient.create()) {
      DurableStream stream = client.at(address(proxy.port()));
      stream.create(TEXT);
      CompletableFuture<Void> faults = new CompletableFuture<>();
      Thread faulty =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < ROUNDS * KINDS; i++) {
                        long due = (long) MESSAGES * (i + 1) / (ROUNDS * KINDS + 2);
                        until("the producer gets on", () -> acknowledged.get() >= due);
                        at[0] = fault(i % KINDS, proxy, restart, at[0]);
                      }
                      faults.complete(null);
                    } catch (Exception | AssertionError e) {
                      faults.completeExceptionally(e);
                    }
                  });
      try {
        produce(stream);
      } catch (RuntimeException e) {
        e.addSuppressed(new AssertionError("faults: " + faults + " at " + stackOf(faulty)));
        throw e;
      }
      faults.get(1, TimeUnit.MINUTES);
      assertThat(read(client.at(address(at[0])))).isEqualTo(expected());
    }
  }

  private static String stackOf(Thread thread) {
    return Arrays.toString(thread.getStackTrace());
  }

  private static URI address(int port) {
    return URI.create("http://127.0.0.1:%d/v1/stream/faults".formatted(port));
  }

  private void produce(DurableStream stream) {
    ProducerListener counting =
        new ProducerListener() {
          @Override
          public void acknowledged(ProducerAck ack) {
            acknowledged.addAndGet(ack.messages());
          }
        };
    ProducerSettings settings =
        ProducerSettings.defaults()
            .withMaxBatchBytes(512)
            .withMaxPending(16 << 10, Duration.ofMinutes(1))
            .withTimeouts(Duration.ofMillis(500), Duration.ofMinutes(2));
    try (IdempotentProducer producer =
        IdempotentProducer.open(stream, "producer", settings, counting)) {
      for (int i = 0; i < MESSAGES; i++) {
        producer.append(message(i));
      }
    }
    assertThat(acknowledged).hasValue(MESSAGES);
  }

  private static String message(int number) {
    return number + "\n";
  }

  private static String expected() {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < MESSAGES; i++) {
      all.append(message(i));
    }
    return all.toString();
  }

  private int fault(int kind, FaultProxy proxy, Restart restart, int port) throws Exception {
    long before = proxy.swallowed();
    switch (kind) {
      case 0 -> proxy.set(Weather.CUT);
      case 1 -> {
        proxy.set(Weather.ANSWERS_LOST);
        until("an answer is lost", () -> proxy.swallowed() > before);
      }
      case 2 -> {
        int next = restart.run(proxy);
        proxy.redirect(next);
        proxy.set(Weather.CUT); // connections to the old one
        proxy.set(Weather.CLEAR);
        return next;
      }
      case 3 -> {
        proxy.set(Weather.SILENT);
        until("a request is lost", () -> proxy.swallowed() > before);
      }
      default -> {
        proxy.delay(SLOW);
        long late = acknowledged.get() + 100;
        until("some get through late", () -> acknowledged.get() >= late);
        proxy.delay(Duration.ZERO);
      }
    }
    proxy.set(Weather.CLEAR);
    return port;
  }

  /** Waits until no request under way has appended anything for a while. */
  private static void awaitIdle(DurableStream stream) {
    String[] tail = {""};
    long[] since = {0};
    until(
        "the server has nothing to do",
        () -> {
          String now = stream.info().tail();
          if (!now.equals(tail[0])) {
            tail[0] = now;
            since[0] = System.nanoTime();
          }
          return System.nanoTime() - since[0] > QUIET.toNanos();
        });
  }

  private static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static String read(DurableStream stream) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (StreamReader reader = stream.read(ReadOptions.defaults())) {
      for (Optional<StreamChunk> next = reader.next(); next.isPresent(); next = reader.next()) {
        all.writeBytes(next.get().bytes());
      }
    }
    return all.toString(StandardCharsets.UTF_8);
  }
}
