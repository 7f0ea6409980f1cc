package dev.semel.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.event.Event;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReservationsTest {
  private static final Key KEY = Key.of("export", "2026-11-15");

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final MemoryStore store = new MemoryStore(now::get);
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Idempotency idempotency = new Idempotency(store, events::add);
  private final Reservations reservations = idempotency.reservations();

  @AfterEach
  void close() {
    idempotency.close();
  }

  private Token reserved() {
    return ((ClaimResult.Granted) reservations.reserve(KEY)).token();
  }

  @Test
  void whatIsReservedCannotBeReservedAgain() {
    reserved();
    assertThat(reservations.reserve(KEY)).isInstanceOf(ClaimResult.InFlight.class);
  }

  @Test
  void whatIsConfirmedIsADuplicateFromThenOn() {
    assertThat(reservations.confirm(KEY, reserved())).isTrue();
    assertThat(reservations.reserve(KEY)).isInstanceOf(ClaimResult.Replay.class);
  }

  @Test
  void whatIsConfirmedIsReportedWithItsAttempt() {
    reservations.release(KEY, reserved());
    ClaimResult.Granted second =
        (ClaimResult.Granted)
            reservations.reserve(ExecutionRequest.of(KEY, Codec.bytes()).withRequestId("job_123"));
    reservations.confirm(KEY, second.token());
    assertThat(events)
        .filteredOn(Event.Completed.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            Event.Completed.class,
            completed -> {
              assertThat(completed.attempt()).isEqualTo(2);
              assertThat(completed.requestId()).isEqualTo("job_123");
            });
  }

  @Test
  void whatIsConfirmedWithAResponseReplaysIt() {
    Payload response = Codec.utf8().payload("42 rows");
    reservations.confirm(KEY, reserved(), response, Duration.ofDays(7));
    assertThat(((ClaimResult.Replay) reservations.reserve(KEY)).response()).isEqualTo(response);
  }

  @Test
  void whatIsReleasedCanBeReservedAgain() {
    assertThat(reservations.release(KEY, reserved())).isTrue();
    assertThat(((ClaimResult.Granted) reservations.reserve(KEY)).attempt()).isEqualTo(2);
  }

  /** Whether the first one took effect is as unknown as it was. */
  @Test
  void whatTookOverGivesTheDoubtBack() {
    ExecutionRequest<byte[]> runAgain =
        ExecutionRequest.of(KEY, Codec.bytes())
            .withPolicy(ExecutionPolicy.defaults().withTakeover(TakeoverPolicy.RUN_AGAIN));
    reserved();
    now.updateAndGet(time -> time.plus(ExecutionPolicy.defaults().lease()));
    ClaimResult.Granted second = (ClaimResult.Granted) reservations.reserve(runAgain);
    assertThat(second.takenOver()).isTrue();
    // However often, and by whichever object of the process.
    assertThat(idempotency.reservations().release(KEY, second.token())).isTrue();
    assertThat(reservations.release(KEY, second.token())).isTrue();
    now.updateAndGet(time -> time.plusMillis(1));
    assertThat(reservations.reserve(KEY)).isInstanceOf(ClaimResult.InDoubt.class);

    ClaimResult.Granted third = (ClaimResult.Granted) reservations.reserve(runAgain);
    assertThat(third.takenOver()).isTrue();
    try (Idempotency elsewhere = new Idempotency(store, events::add)) {
      assertThat(elsewhere.reservations().release(KEY, third)).isTrue();
    }
    now.updateAndGet(time -> time.plusMillis(1));
    assertThat(reservations.reserve(KEY)).isInstanceOf(ClaimResult.InDoubt.class);
  }

  @Test
  void aWrongTokenChangesNothingAndIsReported() {
    reserved();
    Token wrong = Token.draw();
    assertThat(reservations.confirm(KEY, wrong)).isFalse();
    assertThat(reservations.release(KEY, wrong)).isFalse();
    assertThat(reservations.renew(KEY, wrong, Duration.ofSeconds(5))).isFalse();
    assertThat(store.find(KEY).map(StoredRecord::state)).contains(RecordState.IN_FLIGHT);
    assertThat(events).filteredOn(Event.Fenced.class::isInstance).hasSize(3);
  }

  @Test
  void theOwnerCanRenew() {
    assertThat(reservations.renew(KEY, reserved(), Duration.ofHours(1))).isTrue();
    assertThat(store.find(KEY).orElseThrow().leaseLeft()).isGreaterThan(Duration.ofMinutes(59));
  }

  @Test
  void statsCountReservationsAndConfirmations() {
    reservations.confirm(KEY, reserved());
    reservations.reserve(KEY);
    idempotency.close();
    DecisionCounts counts = reservations.stats().values().iterator().next();
    assertThat(counts.get(DecisionCounter.REQUESTS)).isEqualTo(2);
    assertThat(counts.get(DecisionCounter.EXECUTED)).isEqualTo(1);
    assertThat(counts.get(DecisionCounter.DUPLICATES)).isEqualTo(1);
  }
}
