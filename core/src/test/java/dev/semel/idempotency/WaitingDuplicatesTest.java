package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.junit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Duplicates that wait for the first one's result, here and in another process. */
class WaitingDuplicatesTest {
  private static final Key KEY = Key.of("payment", "order-123");
  private static final int WAITERS = 1000;

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final FaultyStore store = new FaultyStore(memory);
  private final Idempotency idempotency = new Idempotency(store, event -> {});
  private final AtomicInteger charged = new AtomicInteger();
  private final ExecutionPolicy patient = ExecutionPolicy.defaults().withWaitUpTo(Patience.LIMIT);

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static ExecutionRequest<String> request() {
    return ExecutionRequest.of(KEY, Codec.utf8());
  }

  private static ExecutionRequest<String> request(ExecutionPolicy policy) {
    return request().withPolicy(policy);
  }

  private String charge(Execution execution) {
    return "receipt " + charged.incrementAndGet();
  }

  @Test
  void aThousandLocalWaitersCostOneClaim() throws InterruptedException {
    List<Outcome<String>> outcomes = new CopyOnWriteArrayList<>();
    List<Thread> waiters = new ArrayList<>();
    idempotency.execute(
        request(patient),
        execution -> {
          for (int i = 0; i < WAITERS; i++) {
            waiters.add(
                Thread.ofVirtual()
                    .start(
                        () -> outcomes.add(idempotency.execute(request(patient), this::charge))));
          }
          until(() -> waiters.stream().allMatch(t -> t.getState() == Thread.State.TIMED_WAITING));
          return charge(execution);
        });
    for (Thread waiter : waiters) {
      waiter.join();
    }

    assertThat(outcomes).hasSize(WAITERS).allMatch(o -> o.value().equals(Optional.of("receipt 1")));
    assertThat(charged).hasValue(1);
    assertThat(store.claims).hasValue(1);
    idempotency.close();
    assertThat(
            memory
                .statistics()
                .read()
                .get(new StatisticsStore.Scope(KEY.tenant(), KEY.operation())))
        .extracting(counts -> counts.get(DecisionCounter.REPLAYS))
        .isEqualTo((long) WAITERS);
  }

  @Test
  void aWaiterGetsTheResultOfAnotherProcess() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    List<Outcome<String>> outcomes = new CopyOnWriteArrayList<>();
    try (Idempotency elsewhere = new Idempotency(memory, event -> {})) {
      Thread other =
          Thread.ofVirtual()
              .start(
                  () ->
                      elsewhere.execute(
                          request(),
                          execution -> {
                            begun.countDown();
                            until(() -> store.claims.get() >= 2);
                            return charge(execution);
                          }));
      begun.await();
      outcomes.add(idempotency.execute(request(patient), this::charge));
      other.join();
    }
    assertThat(outcomes).allMatch(o -> o.value().equals(Optional.of("receipt 1")));
    assertThat(charged).hasValue(1);
  }

  @Test
  void aWaiterWhoseTimeIsOverIsToldThatItIsInFlight() {
    idempotency.execute(
        request(),
        execution -> {
          Outcome<String> duplicate =
              idempotency.execute(
                  request(ExecutionPolicy.defaults().withWaitUpTo(Duration.ofMillis(20))),
                  this::charge);
          assertThat(duplicate).isInstanceOf(Outcome.InFlight.class);
          assertThat(memory.find(KEY).map(StoredRecord::state)).contains(RecordState.IN_FLIGHT);
          return charge(execution);
        });
    assertThat(charged).hasValue(1);
  }

  @Test
  void ifTheFirstFailsTheNextWaiterRuns() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Thread waiter = Thread.currentThread();
    Thread failing =
        Thread.ofVirtual()
            .start(
                () ->
                    assertThatThrownBy(
                            () ->
                                idempotency.execute(
                                    request(patient),
                                    execution -> {
                                      begun.countDown();
                                      until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
                                      throw new IOException("down");
                                    }))
                        .isInstanceOf(IOException.class));
    begun.await();
    Outcome<String> next = idempotency.execute(request(patient), this::charge);
    failing.join();

    assertThat(next).isEqualTo(new Outcome.Executed<>("receipt 1", 2, true));
  }

  private static void until(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(1)).until(condition);
  }

  @Test
  void workThatWasInterruptedIsNotTakenForAWaitThatWas() {
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    request(patient),
                    execution -> {
                      throw new InterruptedException("the work's own");
                    }))
        .isInstanceOf(InterruptedException.class)
        .hasMessage("the work's own");
  }
}
