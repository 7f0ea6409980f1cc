package dev.semel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.admin.StoreAdmin;
import dev.semel.event.Event;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.KeyStrategies;
import dev.semel.idempotency.KeyStrategy;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.OperationSetting;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Putting jobs into a queue: when they are due, and which of them are the same. */
final class JobsTest {
  private static final Operation EXPORTS = new Operation("exports");

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final MemoryJobs queue = new MemoryJobs(InstantSource.system());
  private final Jobs jobs = new Jobs(queue, idempotency.maintenance());

  @AfterEach
  void close() {
    idempotency.close();
  }

  private static byte[] body(String customer, int amount) {
    return "{\"customer\":\"%s\",\"amount\":%d}"
        .formatted(customer, amount)
        .getBytes(StandardCharsets.UTF_8);
  }

  private EnqueueResult enqueue(byte[] body, KeyStrategy<? super byte[]> strategy) {
    return jobs.enqueue(Tenant.DEFAULT, EXPORTS, body, strategy);
  }

  @Test
  void contentDecidesWhatIsTheSame() {
    assertThat(
            List.of(
                enqueue(body("ada", 1), KeyStrategies.contentHash("customer", "amount")),
                enqueue(body("ada", 1), KeyStrategies.contentHash("customer", "amount")),
                enqueue(body("ada", 2), KeyStrategies.contentHash("customer", "amount"))))
        .extracting(answer -> answer instanceof EnqueueResult.Added)
        .containsExactly(true, false, true);
  }

  @Test
  void hybridKeysDeduplicateAndTellCollisionsApart() {
    int added = 0;
    for (int customer = 0; customer < 40; customer++) { // with one digit many of them meet
      for (int time = 0; time < 2; time++) {
        EnqueueResult answer =
            enqueue(body("c" + customer, 1), KeyStrategies.hybrid(1, "customer", "amount"));
        added += answer instanceof EnqueueResult.Added ? 1 : 0;
      }
    }
    assertThat(added).isEqualTo(40);
    assertThat(events).anyMatch(Event.Collided.class::isInstance);
    List<String> effects = new CopyOnWriteArrayList<>();
    try (ExactlyOnceProcessor processor =
        ExactlyOnceProcessor.start(
            jobs,
            idempotency,
            EXPORTS,
            (job, execution) -> effects.add(job.text()),
            ProcessorSettings.defaults())) {
      await().until(() -> Objects.requireNonNull(queue.counts().get(EXPORTS)).completed() == 40);
      assertThat(processor.counts().executed()).isEqualTo(40);
    }
    assertThat(effects).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void strategyThatOperatorsSetGoesBefore() {
    Map<OperationSetting, String> set = Map.of(OperationSetting.STRATEGY, "content-hash(customer)");
    new StoreAdmin(store, "test").change(EXPORTS, set);
    await().until(() -> idempotency.maintenance().settings().of(EXPORTS).values().equals(set));

    assertThat(enqueue(body("ada", 1), KeyStrategies.contentHash("customer", "amount")))
        .isInstanceOf(EnqueueResult.Added.class);
    assertThat(enqueue(body("ada", 2), KeyStrategies.contentHash("customer", "amount")))
        .isInstanceOf(EnqueueResult.Duplicate.class);
  }

  @Test
  void jobAtATimeOfDayWaitsForIt() {
    jobs.enqueueAt(job("later"), queue.now().plusSeconds(3600));
    jobs.enqueueAt(job("past"), queue.now().minusSeconds(3600));
    assertThat(queue.reserve(EXPORTS, 10, Duration.ofMinutes(1)))
        .extracting(each -> each.job().key().id())
        .containsExactly("past");
  }

  private static Job job(String id) {
    return Job.of(new Key(Tenant.DEFAULT, EXPORTS, id), "export " + id);
  }
}
