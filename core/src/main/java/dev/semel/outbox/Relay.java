package dev.semel.outbox;

import dev.semel.StoreException;
import dev.semel.loop.OutageBackoff;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.List;

/**
 * Publishes messages from an outbox to a broker, each at least once and those of one ordering key
 * in order. Any number of relays share the work: each holds some partitions, and when a relay died,
 * others take its partitions after its lease ended. A relay that can't renew its lease stops
 * sending.
 *
 * <p>Publish, then mark: a message leaves the table only after the broker confirmed it. After a
 * crash between the two, the message is sent again with the same id, so broker and inbox recognise
 * it.
 */
public final class Relay implements AutoCloseable {
  private static final Duration FIRST_TROUBLE = Duration.ofMillis(50);
  private static final Duration LONGEST_TROUBLE = Duration.ofSeconds(5);

  private final Platform platform;
  private final RelayReport report;
  private final RelayLeases leases;
  private final RelayReader reader;
  private final RelayPublisher publisher;
  private final OutageBackoff outage;
  private final long poll;
  private final AutoCloseable bell;
  private final Loop loop;
  private long pausedUntil;

  private Relay(RelayRoute route, RelaySettings settings, RelayListener listener) {
    this.platform = route.platform();
    this.report = new RelayReport(listener);
    this.leases = new RelayLeases(platform, route.store(), settings.lease());
    this.reader = new RelayReader(route.store(), leases, settings.batch());
    this.publisher = new RelayPublisher(route, settings, leases, report);
    this.outage = new OutageBackoff(platform, FIRST_TROUBLE, LONGEST_TROUBLE);
    this.poll = settings.poll().toNanos();
    this.pausedUntil = platform.nanos();
    this.loop = Loop.startTimed(platform, "semel-relay", this::turn, FIRST_TROUBLE, this::broken);
    this.bell = route.store().onBell(loop::wake);
  }

  /**
   * Starts at once. Closing it does not close the transport: the caller does that after the relay.
   */
  public static Relay start(OutboxStore store, Transport transport, RelaySettings settings) {
    return start(Platform.REAL, store, transport, settings, RelayListener.NONE);
  }

  /** Starts with a listener, on this machine or a simulated one. */
  public static Relay start(
      Platform platform,
      OutboxStore store,
      Transport transport,
      RelaySettings settings,
      RelayListener listener) {
    return new Relay(new RelayRoute(platform, store, transport), settings, listener);
  }

  /** Looks for messages at once, after something was written. */
  public void wake() {
    loop.wake();
  }

  /**
   * The name under which the outbox knows this relay now; it changes after a release without an
   * answer.
   */
  public String id() {
    return leases.relay();
  }

  public RelayCounts counts() {
    return report.counts();
  }

  /** Finishes messages in flight and hands its partitions over. */
  @Override
  public void close() {
    publisher.stop();
    try {
      bell.close();
    } catch (Exception e) {
      report.troubled(id(), e);
    }
    loop.close();
    try {
      leases.leave();
    } catch (StoreException e) {
      report.troubled(id(), e); // other relays take them when the lease ends
    }
  }

  private long turn() {
    try {
      return act();
    } catch (StoreException e) {
      report.troubled(id(), e);
      leases.rewind();
      pause();
      return restNanos();
    }
  }

  /** A bug: {@link Loop} reports it, and the relay tries again. */
  private void broken(Exception e) {
    leases.rewind();
    report.broken(e);
  }

  private void pause() {
    pausedUntil = platform.nanos() + outage.nextNanos();
  }

  private long act() {
    publisher.mark();
    leases.heartbeatIfDue(report.counts());
    leases.giveUpSurplus();
    long now = platform.nanos();
    if (pausedUntil - now > 0) {
      return restNanos();
    }
    List<OutboxEntry> read = reader.read(now);
    if (read.isEmpty()) {
      return reader.rest() ? restNanos() : 0;
    }
    PublishBatch batch = publisher.publish(read);
    if (batch.halted()) {
      pause();
      return restNanos();
    }
    if (!batch.confirmed().isEmpty()) {
      outage.end().ifPresent(after -> report.recovered(id(), after));
    }
    return 0;
  }

  private long restNanos() {
    long now = platform.nanos();
    long until = Math.max(pausedUntil, reader.nextDue(now + poll));
    return Math.max(1, Math.min(leases.heartbeatDue(), until) - now);
  }
}
