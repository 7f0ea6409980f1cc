package dev.semel.redis.internal.streams;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.redis.internal.RedisLink;
import dev.semel.redis.internal.streams.PartitionLeases.HeldLease;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PartitionBuffer;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads its partitions. From a taken-over partition it first reads, in order, what its predecessor
 * did not acknowledge, and then new entries. It rests without asking Redis, until the bell rings or
 * the next poll is due.
 */
public final class StreamReader implements Subscription {
  /** The pause between polls of an empty partition, if no bell rings. */
  static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private static final Duration SHORTEST_REST = Duration.ofMillis(5);

  private final Platform platform;
  private final RedisLink link;
  private final ReaderGroup readership;
  private final PartitionBuffer buffer;
  private final PartitionLeases leases;
  private final PartitionBell bell;
  private final IntConsumer listener = this::ring;
  private final Map<Integer, PartitionReading> readings = new TreeMap<>();
  private final Set<Integer> rung = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Thread taker;

  public StreamReader(
      RedisLink link, ReaderGroup readership, SubscribeSettings settings, PartitionBell bell) {
    this.platform = Platform.REAL;
    this.link = link;
    this.readership = readership;
    this.bell = bell;
    this.buffer = new PartitionBuffer(platform, settings, false, new Deliveries());
    this.leases = new PartitionLeases(platform, link, readership, this::wake);
    bell.add(readership.destination(), listener);
  }

  private void ring(int partition) {
    rung.add(partition);
    wake();
  }

  private void wake() {
    Thread waiting = taker;
    if (waiting != null) {
      platform.unpark(waiting);
    }
  }

  @Override
  public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
    taker = Thread.currentThread();
    long end = platform.nanos() + patience.toNanos();
    while (true) {
      leases.word();
      leases.ensure();
      settlePartitions();
      pay();
      fetch(limit, false);
      List<Delivery> taken = buffer.take(limit);
      if (taken.isEmpty() && fetch(limit, true)) {
        taken = buffer.take(limit);
      }
      long rest = end - platform.nanos();
      if (!taken.isEmpty() || rest <= 0) {
        return taken;
      }
      rest(rest);
    }
  }

  private void rest(long most) throws InterruptedException {
    long now = platform.nanos();
    long rest = buffer.nanosUntilDue(Math.min(most, LOOK_EVERY.toNanos()));
    for (PartitionReading each : readings.values()) {
      rest = Math.min(rest, each.restsFor(now));
    }
    if (rung.isEmpty()) {
      // Parks even if a poll is due, because due work may wait for room: otherwise this would spin.
      platform.park(this, Math.max(rest, SHORTEST_REST.toNanos()));
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Opens new partitions, drops lost ones, and hands the surplus over. */
  private void settlePartitions() {
    for (int number = 0; number < readership.partitions(); number++) {
      HeldLease heldLease = leases.of(number).orElse(null);
      PartitionReading reading = readings.get(number);
      if (reading != null && reading.heldLease() != heldLease) {
        drop(reading);
        reading = null;
      }
      if (reading == null && heldLease != null) {
        PartitionReading opened = new PartitionReading(link, readership.consumer(), heldLease);
        readings.put(number, opened);
        buffer.open(opened.name(), PartitionReading.START);
      }
    }
    int surplus = leases.surplus();
    for (PartitionReading each : List.copyOf(readings.values())) {
      boolean goes = surplus > 0;
      each.leaving(goes);
      surplus--;
      if (goes && each.isDrained(buffer)) {
        drop(each);
        leases.release(each.heldLease());
      }
    }
  }

  private void drop(PartitionReading reading) {
    readings.remove(reading.heldLease().partition().number());
    buffer.drop(reading.name());
  }

  private void lose(PartitionReading reading) {
    drop(reading);
    leases.release(reading.heldLease()); // others need not wait, should it be ours
  }

  /**
   * Fetches from all partitions at once.
   *
   * @param hard also from partitions with enough messages here, of which perhaps none may be
   *     delivered
   * @return whether something came
   */
  private boolean fetch(int limit, boolean hard) {
    long now = platform.nanos();
    List<PartitionReading> asked = new ArrayList<>();
    List<CompletableFuture<List<Object>>> answers = new ArrayList<>();
    hearBells();
    for (PartitionReading each : readings.values()) {
      if (each.wants(now, hard ? PartitionBuffer.MAX_KEPT_PER_PARTITION : limit)
          && buffer.hasRoom(each.name())) {
        asked.add(each);
        answers.add(each.ask(limit));
      }
    }
    boolean came = false;
    StoreException failure = null;
    for (int i = 0; i < asked.size(); i++) {
      try {
        PartitionReading.Fetched fetched = asked.get(i).fetched(answers.get(i), now);
        if (fetched.lost()) {
          lose(asked.get(i));
        }
        for (PartitionReading.Entry entry : fetched.entries()) {
          buffer.add(asked.get(i).name(), entry.id(), entry.message(), entry.deliveries());
          came = true;
        }
      } catch (StoreException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return came;
  }

  /** Drains the bell, which also rings for other readers' partitions. */
  private void hearBells() {
    for (Integer partition : List.copyOf(rung)) {
      rung.remove(partition);
      PartitionReading reading = readings.get(partition);
      if (reading != null) {
        reading.wake();
      }
    }
  }

  /** Reports of finished messages also count as the taker's signs of life. */
  private final class Deliveries implements PartitionBuffer.BufferOwner {
    @Override
    public void finished(List<LogPosition> places) {
      for (LogPosition place : places) {
        PartitionReading reading = readings.get(Integer.parseInt(place.partition()));
        if (reading != null) {
          reading.owe(place.next());
        }
      }
      pay();
    }

    @Override
    public void acknowledge(PartitionBuffer from, Delivery alone) {
      StreamReader.this.acknowledge(List.of(alone));
    }

    @Override
    public void change(Runnable wish) {
      leases.word();
      wish.run();
    }
  }

  /**
   * Acknowledges finished messages, for all partitions at once; unconfirmed ones are acknowledged
   * again later.
   */
  private void pay() {
    List<PartitionReading> owing =
        readings.values().stream().filter(PartitionReading::owes).toList();
    List<CompletableFuture<Long>> answers = owing.stream().map(PartitionReading::pay).toList();
    StoreException failure = null;
    for (int i = 0; i < owing.size(); i++) {
      try {
        if (!owing.get(i).paid(answers.get(i))) {
          lose(owing.get(i));
          failure =
              new StoreException(
                  "another reads that partition now, and may deliver the message again");
        }
      } catch (StoreException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void acknowledge(List<Delivery> deliveries) {
    leases.word();
    buffer.acknowledge(deliveries);
  }

  @Override
  public long lag() {
    List<CompletableFuture<Long>> answers = new ArrayList<>();
    for (int number = 0; number < readership.partitions(); number++) {
      byte[][] stream = {new StreamPartition(readership.destination(), number).stream()};
      answers.add(link.start(StreamScript.LAG, stream, RedisLink.ascii(readership.consumer())));
    }
    return answers.stream().mapToLong(link::finish).sum();
  }

  @Override
  public void close() {
    bell.remove(readership.destination(), listener);
    leases.close();
  }
}
