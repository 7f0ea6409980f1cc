package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StatisticsStore.Scope;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.Ids;
import dev.semel.redis.RedisUnderTest;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Events between two steps of one call, which no caller can time. */
@Tag("service")
@ExtendWith(SharedServices.class)
class RecordScriptTest {
  private static final Duration LEASE = Duration.ofMillis(50);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ExecutionEnd ENDING =
      ExecutionEnd.completed(new Payload("text/plain", new byte[] {42}));

  private final Key key = Key.of("payments", Ids.uuid7().toString());
  private final byte[] name = RedisKey.name(key);
  private final Token holder = Token.draw();
  private final Token claimant = Token.draw();
  private RedisClient client;
  private RedisLink link;
  private RedisUnderTest store;

  @BeforeEach
  void open(RedisService redis) {
    String url = redis.url() + "/3"; // separate: this test fills the hash of all counts
    client = RedisClient.create(url);
    link = RedisLink.timedHere(client.connect(ByteArrayCodec.INSTANCE), "Redis");
    store = new RedisUnderTest(url);
  }

  @AfterEach
  void close() {
    store.close();
    client.shutdown();
  }

  private ClaimRequest request(Token token, Duration lease) {
    return new ClaimRequest(
        key, token, Fingerprint.of("body"), lease, HOUR, TakeoverPolicy.RUN_AGAIN, "req-1");
  }

  private byte[] seen() {
    return Objects.requireNonNull(link.peek(name)).value();
  }

  private StoredRecord found() {
    return store.idempotency().find(key).orElseThrow();
  }

  @Nested
  class ATakeover {
    private boolean take(byte[] seen) {
      return link.run(
          RecordScript.TAKE,
          name,
          RecordCodec.header(seen),
          RecordCodec.claimed(request(claimant, HOUR), 2),
          RedisLink.ascii(HOUR.toMillis()));
    }

    private byte[] seenWithEndedLease() {
      store.idempotency().claim(request(holder, LEASE));
      store.elapse(LEASE);
      return seen();
    }

    @Test
    void succeedsOnWhatWasSeen() {
      assertThat(take(seenWithEndedLease())).isTrue();
      assertThat(found().token()).isEqualTo(claimant);
      assertThat(found().original().attempt()).isEqualTo(2);
    }

    @Test
    void failsOnceTheHolderRenewedAlthoughTheHeaderIsTheSame() {
      // The lease must hold while the takeover is tried, however slow the machine.
      Duration lease = Duration.ofSeconds(20);
      store.idempotency().claim(request(holder, lease));
      byte[] seen = seen();
      store.idempotency().renew(key, holder, lease);
      assertThat(RecordCodec.header(seen())).isEqualTo(RecordCodec.header(seen));
      assertThat(take(seen)).isFalse();
      assertThat(found().token()).isEqualTo(holder);
    }

    @Test
    void failsOnceTheHolderCompleted() {
      byte[] seen = seenWithEndedLease();
      store.idempotency().complete(key, holder, ENDING, HOUR);
      assertThat(take(seen)).isFalse();
      assertThat(found().payload()).isEqualTo(ENDING.payload());
    }

    @Test
    void ofAReleasedRecordFailsOnceAnotherClaimedAndCompleted() {
      store.idempotency().claim(request(holder, HOUR));
      store.idempotency().release(key, holder);
      byte[] seen = seen();
      Token other = Token.draw();
      store.idempotency().claim(request(other, HOUR));
      store.idempotency().complete(key, other, ENDING, HOUR);
      assertThat(take(seen)).isFalse();
      assertThat(found().payload()).isEqualTo(ENDING.payload());
    }

    @Test
    void failsOnceTheRecordIsGone() {
      byte[] seen = seenWithEndedLease();
      store.catalog().delete(key);
      assertThat(take(seen)).isFalse();
      assertThat(store.idempotency().find(key)).isEmpty();
    }
  }

  @Nested
  class ARelease {
    private void leaveTimeToLive(Duration d) {
      store.commands().pexpire("i9y:{" + key.text() + "}", d.toMillis());
    }

    @Test
    void keepsRequestIdAndAttemptAndDropsTheRest() {
      store.idempotency().claim(request(holder, HOUR));
      store.idempotency().release(key, holder);
      store.idempotency().claim(request(claimant, HOUR));
      store.idempotency().complete(key, claimant, ENDING, HOUR);
      store.catalog().forceRelease(key);
      assertThat(found().state()).isEqualTo(RecordState.RELEASED);
      assertThat(found().fingerprint()).isEqualTo(Fingerprint.NONE);
      assertThat(found().payload()).isEqualTo(Payload.EMPTY);
      assertThat(found().original().requestId()).isEqualTo("req-1");
      assertThat(found().original().attempt()).isEqualTo(2);
    }

    @Test
    void isKeptForTheRetentionFromNowOn() {
      store.idempotency().claim(request(holder, LEASE));
      leaveTimeToLive(HOUR.dividedBy(2));
      store.idempotency().release(key, holder);
      assertThat(found().original().retentionLeft()).isGreaterThan(HOUR.dividedBy(2));
    }

    @Test
    void ofAnEndedRecordKeepsWhatIsLeftOfItsRetention() {
      store.idempotency().claim(request(holder, HOUR));
      store.idempotency().complete(key, holder, ENDING, HOUR);
      leaveTimeToLive(HOUR.dividedBy(2));
      store.catalog().forceRelease(key);
      assertThat(found().original().retentionLeft())
          .isPositive()
          .isLessThanOrEqualTo(HOUR.dividedBy(2));
    }
  }

  @Test
  void countsOfNewScopesGoTogetherOnceTheHashIsFull() {
    Scope known = scope("default", "known");
    Scope late = scope("default", "late");
    Scope other = scope("other", "other");
    DecisionCounts one = new DecisionCounts(Map.of(DecisionCounter.REQUESTS, 1L));
    store.statistics().reset();
    store.statistics().add(Map.of(known, one));
    store
        .commands()
        .eval(
            "for i = 1, %d do redis.call('HSET', KEYS[1], 'default/o' .. i .. '/replays', 1) end"
                .formatted(RedisStatistics.MAX_FIELDS - 1),
            ScriptOutputType.STATUS,
            "semel:{semel}:statistics");

    store.statistics().add(Map.of(known, one, late, one));

    Map<Scope, DecisionCounts> counts = store.statistics().read();
    assertThat(counts.get(known)).isEqualTo(one.plus(one));
    assertThat(counts).doesNotContainKey(late);
    assertThat(counts.get(other)).isEqualTo(one);
    store.statistics().reset();
  }

  private static Scope scope(String tenant, String operation) {
    return new Scope(new Tenant(tenant), new Operation(operation));
  }
}
