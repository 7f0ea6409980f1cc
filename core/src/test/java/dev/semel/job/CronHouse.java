package dev.semel.job;

import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.Event;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.loop.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Some instances of one cron on one store, in a time of their own, and what their work did. */
final class CronHouse implements AutoCloseable {
  static final Operation REPORT = new Operation("report");
  static final CronSchedule MINUTELY = CronSchedule.parse("* * * * *", ZoneOffset.UTC);

  final CronClock clock = new CronClock(at("00:00").plusSeconds(30));
  final MemoryStore store = new MemoryStore(clock);
  final List<Event> events = new CopyOnWriteArrayList<>();
  final List<String> begun = new CopyOnWriteArrayList<>();
  final List<String> ended = new CopyOnWriteArrayList<>();
  final AtomicInteger mostAtOnce = new AtomicInteger();

  private final List<Idempotency> opened = new ArrayList<>();
  private final List<Cron> crons = new CopyOnWriteArrayList<>();
  private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
  private final Map<String, Execution> executions = new ConcurrentHashMap<>();
  private final Set<String> stubborn = ConcurrentHashMap.newKeySet();
  private final AtomicInteger atOnce = new AtomicInteger();

  static Instant at(String time) {
    return LocalDate.of(2026, 11, 17).atTime(LocalTime.parse(time)).toInstant(ZoneOffset.UTC);
  }

  static String time(Instant slot) {
    return slot.atOffset(ZoneOffset.UTC).toLocalTime().toString();
  }

  static Key key(String time) {
    return Key.of("report", "2026-11-17T" + time + "Z");
  }

  /** An instance that takes its turns with the others. */
  Cron instance(CronSettings settings) {
    return instance(MINUTELY, settings, Duration.ZERO, this::work);
  }

  Cron instance(CronSchedule schedule, CronSettings settings, Duration ahead, CronWork work) {
    return instance(store, clock.platform(ahead), schedule, settings, work);
  }

  /** An instance whose way to the store is disturbed. */
  Cron instance(Store disturbed, CronSettings settings) {
    return instance(disturbed, clock.platform(Duration.ZERO), MINUTELY, settings, this::work);
  }

  private Cron instance(
      Store to, Platform platform, CronSchedule schedule, CronSettings settings, CronWork work) {
    Idempotency idempotency = new Idempotency(to, events::add, platform);
    opened.add(idempotency);
    Cron cron = new Cron(platform, idempotency, new CronPlan(REPORT, schedule, settings, work));
    crons.add(cron);
    return cron;
  }

  /** It takes no more turns: nothing is renewed, noticed or begun. */
  void kill(Cron cron) {
    crons.remove(cron);
  }

  /** The work of this slot goes on until it is let go, or interrupted. */
  void hold(String slot) {
    held.put(slot, new CountDownLatch(1));
  }

  /** The work of this slot continues until it is let go, and ignores interruptions. */
  void holdStubbornly(String slot) {
    stubborn.add(slot);
    hold(slot);
  }

  void letGo(String slot) {
    held.getOrDefault(slot, new CountDownLatch(0)).countDown();
  }

  void work(Instant slot, Execution execution) throws InterruptedException {
    String name = time(slot);
    mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    executions.put(name, execution);
    begun.add(name);
    try {
      CountDownLatch latch = held.getOrDefault(name, new CountDownLatch(0));
      if (stubborn.contains(name)) {
        await().ignoreExceptions().until(() -> latch.getCount() == 0);
      } else {
        latch.await();
      }
    } finally {
      ended.add(name);
      atOnce.decrementAndGet();
    }
  }

  /** As the slot's work knows it, the last time that it began. */
  Execution execution(String slot) {
    return Objects.requireNonNull(executions.get(slot));
  }

  /** Moves the time and lets every instance take a turn. */
  void goTo(String time) {
    clock.set(at(time));
    turn();
  }

  void turn() {
    crons.forEach(Cron::turn);
  }

  /** Lets the instances take turns, in no time, until it is so. */
  void until(BooleanSupplier condition) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              turn();
              return condition.getAsBoolean();
            });
  }

  void quiet() {
    until(() -> crons.stream().allMatch(cron -> cron.counts().running() == 0));
    turn();
  }

  String record(String slot) {
    return store.find(key(slot)).map(CronHouse::text).orElse("none");
  }

  private static String text(StoredRecord record) {
    return record.state()
        + " "
        + new String(record.payload().bytes(), StandardCharsets.UTF_8)
            .replace('\n', ' ')
            .replace("dev.semel.job.", "");
  }

  <E extends Event> List<E> seen(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Override
  public void close() {
    held.values().forEach(CountDownLatch::countDown);
    opened.forEach(Idempotency::close);
  }
}
