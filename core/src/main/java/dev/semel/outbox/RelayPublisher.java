package dev.semel.outbox;

import dev.semel.StoreException;
import dev.semel.loop.internal.Backoff;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Sends messages and renews the leases meanwhile. Confirmed messages leave the table; refused ones
 * are tried again or become dead letters. For the relay's thread, except for {@link #stop}.
 */
final class RelayPublisher {
  /** Time limit for the transport, which should answer long before. */
  private static final long ANSWER_NANOS = Duration.ofSeconds(60).toNanos();

  private static final long HEARTBEAT_AGAIN_NANOS = Duration.ofMillis(50).toNanos();

  private final RelayRoute route;
  private final RelaySettings settings;
  private final RelayLeases leases;
  private final RelayReport report;
  private final List<OutboxEntry> unmarked = new ArrayList<>();
  private volatile boolean stopping;

  RelayPublisher(RelayRoute route, RelaySettings settings, RelayLeases leases, RelayReport report) {
    this.route = route;
    this.settings = settings;
    this.leases = leases;
    this.report = report;
  }

  /** Sends nothing more; messages in flight still get their answers. */
  void stop() {
    stopping = true;
  }

  /** Removes confirmed messages from the table; remembers them until that succeeded. */
  void mark() {
    if (!unmarked.isEmpty()) {
      route.store().published(List.copyOf(unmarked));
      unmarked.clear();
    }
  }

  /** Returns when all messages have their answers, and the table reflects them. */
  PublishBatch publish(List<OutboxEntry> read) {
    PublishBatch batch =
        new PublishBatch(
            route.platform(), route.transport(), settings.maxInFlight(), new Sending());
    batch.run(read, route.platform().nanos() + ANSWER_NANOS);
    unmarked.addAll(batch.confirmed());
    for (int partition : batch.unfinished()) {
      PartitionLease lease = leases.find(partition);
      if (lease != null) {
        lease.rewind();
      }
    }
    report.confirmed(batch.confirmed().size(), batch.duplicates());
    mark();
    batch.failures().forEach(this::failed);
    return batch;
  }

  /** The owner of a batch in flight. */
  private final class Sending implements PublishBatch.BatchOwner {
    private final IntPredicate sendable = leases.sendable();

    @Override
    public boolean maySend(int partition) {
      return !stopping && sendable.test(partition);
    }

    @Override
    public void published(OutboxEntry message, PublishResult result) {
      report.published(message, result);
    }

    /** Renews the leases; a failure only ends the sending. */
    @Override
    public long meanwhile(int inFlight) {
      report.inFlight(inFlight);
      long now = route.platform().nanos();
      if (leases.heartbeatDue() - now <= 0) {
        try {
          leases.heartbeat(report.counts());
        } catch (StoreException e) {
          report.troubled(leases.relay(), e);
          leases.heartbeatAt(now + HEARTBEAT_AGAIN_NANOS);
        }
      }
      return Math.max(1, leases.heartbeatDue() - route.platform().nanos());
    }
  }

  private void failed(PublishBatch.Failure failure) {
    OutboxEntry message = failure.message();
    Kind kind = failure.reason().kind();
    int attempts = message.attempts() + 1;
    if (kind == Kind.UNREACHABLE) {
      report.troubled(leases.relay(), failure.reason());
    } else if (kind == Kind.REFUSED || attempts >= settings.maxAttempts()) {
      bury(failure);
    } else {
      retry(
          failure,
          Backoff.pause(
              settings.firstPause(), settings.longestPause(), attempts, route.platform()::random));
    }
  }

  private void bury(PublishBatch.Failure failure) {
    String reason = String.valueOf(failure.reason().getMessage());
    if (route.store().bury(leases.relay(), failure.message(), reason)) {
      report.dead(failure.message(), failure.reason());
    } else {
      leases.heartbeatSoon();
    }
  }

  private void retry(PublishBatch.Failure failure, Duration pause) {
    OutboxEntry message = failure.message();
    String reason = String.valueOf(failure.reason().getMessage());
    if (!route.store().failed(leases.relay(), message, reason, pause)) {
      leases.heartbeatSoon();
      return;
    }
    report.failed(message, settings.maxAttempts(), failure.reason());
    PartitionLease lease = leases.find(message.partition());
    if (lease != null) {
      lease.hold(
          message.message().orderingKey(),
          message.place(),
          route.platform().nanos() + pause.toNanos());
    }
  }
}
