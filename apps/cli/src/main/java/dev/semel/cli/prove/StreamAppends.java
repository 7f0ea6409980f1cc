package dev.semel.cli.prove;

import dev.semel.StoreException;
import dev.semel.cli.streams.StreamSession;
import dev.semel.loop.internal.Loop;
import dev.semel.proof.WorkerOrders;
import dev.semel.proof.flow.StreamJudge;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerException;
import dev.semel.stream.client.ProducerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A producer that appends continuously. If another one takes its id over, it pauses and takes the
 * id back, which is another claim with new entries.
 */
final class StreamAppends implements AutoCloseable {
  private static final ProducerSettings SETTINGS =
      ProducerSettings.defaults().withTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(30));

  /** Limit of entries without an answer; then it waits. */
  private static final int MAX_PENDING = 200;

  private static final int SHORTEST_REST_MILLIS = 100;
  private static final int LONGEST_REST_MILLIS = 700;

  private final StreamSession session;
  private final String name;
  private final String id;
  private final RandomGenerator random;
  private final Loop loop;
  private @Nullable IdempotentProducer producer;
  private volatile boolean failed;
  private int claims;
  private int entries;
  private long restUntil = System.nanoTime();

  /**
   * Starts at once.
   *
   * @param name of the stream
   * @param id of the producer
   */
  StreamAppends(StreamSession session, String name, String id) {
    this.session = session;
    this.name = name;
    this.id = id;
    WorkerOrders orders = session.orders();
    this.random = new Random(orders.seed() + id.hashCode());
    this.loop =
        Loop.start(
            "semel-append",
            this::append,
            Duration.ofSeconds(1).dividedBy(orders.number("per_second")),
            e -> failed = true);
  }

  private boolean append() {
    if (failed) {
      end();
      failed = false;
      long millis = random.nextInt(SHORTEST_REST_MILLIS, LONGEST_REST_MILLIS);
      restUntil = System.nanoTime() + Duration.ofMillis(millis).toNanos();
    }
    if (System.nanoTime() - restUntil < 0) {
      return false;
    }
    IdempotentProducer current = producer;
    if (current == null) {
      current = IdempotentProducer.open(session.stream(name), id, SETTINGS);
      producer = current;
      claims++;
      entries = 0;
    }
    if (current.pendingCount() < MAX_PENDING) {
      send(current, "%s/%s-%d/%d".formatted(id, session.orders().client(), claims, entries++));
    }
    return false;
  }

  private void send(IdempotentProducer current, String entry) {
    session.notes().note(StreamJudge.APPENDS, entry, name);
    byte[] json = ("\"" + entry + "\"").getBytes(StandardCharsets.UTF_8);
    var unused = current.appendAsync(json).whenComplete((ack, failure) -> told(entry, failure));
  }

  private void told(String entry, @Nullable Throwable failure) {
    if (failure == null) {
      session.notes().note(StreamJudge.ACKNOWLEDGED, entry, name);
      session.done().incrementAndGet();
      return;
    }
    if (failure instanceof ProducerException.Fenced && !failed) {
      session.notes().note(StreamJudge.FENCED_OFF, entry, name);
    }
    failed = true;
  }

  private void end() {
    IdempotentProducer current = producer;
    producer = null;
    if (current != null) {
      try {
        current.close();
      } catch (StoreException e) {
        // Each entry has reported it.
      }
    }
  }

  @Override
  public void close() {
    loop.close();
    end();
  }
}
