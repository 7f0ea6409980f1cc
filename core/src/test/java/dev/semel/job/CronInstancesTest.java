package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Operation;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.loop.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real threads and real time: many instances, clocks that differ, slots that take too long. */
final class CronInstancesTest {
  private static final Operation TICK = new Operation("tick");
  private static final Duration PERIOD = Duration.ofMillis(20);
  private static final int INSTANCES = 5;
  private static final int SLOTS = 60;
  private static final int RUNS = 15;

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final List<Instant> begun = new CopyOnWriteArrayList<>();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();

  /** Takes up to three periods, unless it is interrupted. */
  private void work(Instant slot, Execution execution) throws InterruptedException {
    mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    begun.add(slot);
    try {
      long number = slot.toEpochMilli() / PERIOD.toMillis();
      long millis = number % 4 * PERIOD.toMillis();
      boolean never = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
      assertThat(never).isFalse();
    } finally {
      atOnce.decrementAndGet();
    }
  }

  private static Platform platform(Duration ahead) {
    return new Platform() {
      @Override
      public InstantSource clock() {
        return InstantSource.offset(InstantSource.system(), ahead);
      }
    };
  }

  private List<KeyEntry> slots() {
    return store.list("default/tick:2", "", KeyCatalog.MAX_PAGE).entries();
  }

  @ParameterizedTest
  @EnumSource(OverlapPolicy.class)
  void eachSlotBeginsOnceAndNoTwoRunAtATime(OverlapPolicy overlap) {
    CronSettings settings = CronSettings.defaults().withOverlap(overlap).withMaxWaiting(3);
    List<Idempotency> opened = new ArrayList<>();
    List<Cron> crons = new ArrayList<>();
    try {
      for (int i = 0; i < INSTANCES; i++) {
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
        opened.add(idempotency);
        crons.add(
            Cron.start(
                platform(PERIOD.multipliedBy(i - 2)),
                TICK,
                CronSchedule.every(PERIOD),
                settings,
                idempotency,
                this::work));
      }
      await().until(() -> slots().size() >= SLOTS && begun.size() >= RUNS);
    } finally {
      crons.forEach(Cron::close);
      opened.forEach(Idempotency::close);
    }
    assertThat(begun).as("begun").doesNotHaveDuplicates();
    assertThat(mostAtOnce).as("at a time").hasValue(1);
    if (overlap == OverlapPolicy.QUEUE) {
      assertThat(begun).as("in order").isSorted();
    }
  }

  @Test
  void closeInterruptsWhatDoesNotEnd() {
    CountDownLatch running = new CountDownLatch(1);
    try (Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      Cron cron =
          Cron.start(
              TICK,
              CronSchedule.every(PERIOD),
              CronSettings.defaults().withStopWithin(Duration.ofMillis(50)),
              idempotency,
              (slot, execution) -> {
                running.countDown();
                new CountDownLatch(1).await();
              });
      await().until(() -> running.getCount() == 0);
      cron.close();
      await().until(() -> cron.counts().running() == 0); // close waits for it for a moment only
      assertThat(cron.counts().failed()).isOne();
    }
  }
}
