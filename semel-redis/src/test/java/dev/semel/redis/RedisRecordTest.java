package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimRequest;
import dev.semel.idempotency.Existing;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.State;
import dev.semel.idempotency.Takeover;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RedisRecordTest {
  private static final Key KEY = Key.of("payments", "order-1");
  private static final byte[] NAME = RedisKey.name(KEY);
  private static final long SEED = 20260101;

  private static ClaimRequest request(Fingerprint fingerprint, String requestId) {
    return new ClaimRequest(
        KEY,
        Token.draw(),
        fingerprint,
        Duration.ofSeconds(30),
        Duration.ofHours(24),
        Takeover.IN_DOUBT,
        requestId);
  }

  @Test
  void claimIsReadBackAsItWasWritten() {
    ClaimRequest request = request(Fingerprint.of("body"), "req-1");
    RedisRecord read = RedisRecord.parse(NAME, RedisRecord.claimed(request, 3));
    assertThat(read)
        .isEqualTo(
            new RedisRecord(
                State.IN_FLIGHT,
                request.token(),
                3,
                30_000,
                86_400_000,
                0,
                request.fingerprint(),
                "req-1",
                Payload.EMPTY));
  }

  @Test
  void claimWithHashedFingerprintTakes71Bytes() {
    assertThat(RedisRecord.claimed(request(Fingerprint.of("body"), ""), 1)).hasSize(71);
  }

  @Test
  void randomRecordsSurviveTheRoundTrip() {
    Random random = new Random(SEED);
    for (int i = 0; i < 2000; i++) {
      ClaimRequest request = randomRequest(random);
      int attempt = 1 + random.nextInt(Integer.MAX_VALUE);
      byte[] claimed = RedisRecord.claimed(request, attempt);
      Payload payload = randomPayload(random);
      RedisRecord read =
          RedisRecord.parse(NAME, ended(claimed, payload, random.nextLong(1L << 48)));

      assertThat(read.state()).isEqualTo(State.COMPLETED);
      assertThat(read.token()).isEqualTo(request.token());
      assertThat(read.attempt()).isEqualTo(attempt);
      assertThat(read.lease()).isEqualTo(request.lease().toMillis());
      assertThat(read.retention()).isEqualTo(request.retention().toMillis());
      assertThat(read.fingerprint()).isEqualTo(request.fingerprint());
      assertThat(read.requestId()).isEqualTo(request.requestId());
      assertThat(read.payload()).isEqualTo(payload);
    }
  }

  @Test
  void leaseIsWhatTheTimeToLiveLeavesOfIt() {
    byte[] claimed = RedisRecord.claimed(request(Fingerprint.NONE, ""), 1);
    RedisRecord record = RedisRecord.parse(NAME, claimed);
    Existing atOnce = record.seenWith(NAME, 86_400_000);
    Existing later = record.seenWith(NAME, 86_400_000 - 29_999);
    Existing after = record.seenWith(NAME, 86_400_000 - 30_000);
    assertThat(atOnce.leaseLeft()).isEqualTo(Duration.ofSeconds(30));
    assertThat(later.leaseLeft()).isEqualTo(Duration.ofMillis(1));
    assertThat(after.leaseLeft()).isZero();
    assertThat(after.original().retentionLeft()).isEqualTo(Duration.ofHours(24).minusSeconds(30));
  }

  @Test
  void recordWithoutTimeToLiveIsRefused() {
    RedisRecord record =
        RedisRecord.parse(NAME, RedisRecord.claimed(request(Fingerprint.NONE, ""), 1));
    assertThatThrownBy(() -> record.seenWith(NAME, -1))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("i9y:{default/payments:order-1}");
  }

  @Test
  void randomBytesAreRefusedOrReadButNeverCrash() {
    Random random = new Random(SEED);
    byte[] states = {'P', 'C', 'F', 'R'};
    for (int i = 0; i < 20_000; i++) {
      byte[] garbage = new byte[random.nextInt(90)];
      random.nextBytes(garbage);
      if (garbage.length > 0 && random.nextBoolean()) {
        garbage[0] = states[random.nextInt(states.length)];
      }
      try {
        RedisRecord.parse(NAME, garbage);
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("i9y:{default/payments:order-1}");
      }
    }
  }

  @Test
  void everyTruncationOfAClaimIsRefused() {
    byte[] claimed = RedisRecord.claimed(request(Fingerprint.clear("body"), "req-1"), 1);
    for (int length = 0; length < claimed.length; length++) {
      byte[] cut = Arrays.copyOf(claimed, length);
      assertThatThrownBy(() -> RedisRecord.parse(NAME, cut))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no record");
    }
    byte[] longer = Arrays.copyOf(claimed, claimed.length + 1);
    assertThatThrownBy(() -> RedisRecord.parse(NAME, longer)).isInstanceOf(StoreException.class);
  }

  private static ClaimRequest randomRequest(Random random) {
    Duration lease = Duration.ofMillis(random.nextLong(1, ClaimRequest.MAX_LEASE.toMillis() + 1));
    Duration retention =
        Duration.ofMillis(
            random.nextLong(lease.toMillis(), ClaimRequest.MAX_RETENTION.toMillis() + 1));
    Fingerprint fingerprint =
        switch (random.nextInt(4)) {
          case 0 -> Fingerprint.NONE;
          case 1 -> Fingerprint.of("body " + random.nextInt());
          case 2 -> Fingerprint.clear("ä".repeat(random.nextInt(500)));
          default -> new Fingerprint("x".repeat(random.nextInt(Fingerprint.MAX_BYTES + 1)));
        };
    String requestId = "ü".repeat(random.nextInt(1 + ClaimRequest.MAX_REQUEST_ID_BYTES / 2));
    return new ClaimRequest(
        KEY, Token.draw(), fingerprint, lease, retention, Takeover.IN_DOUBT, requestId);
  }

  private static Payload randomPayload(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return new Payload("t".repeat(random.nextInt(Payload.MAX_TYPE_LENGTH + 1)), bytes);
  }

  /** What the script of a completion makes of a claim. */
  private static byte[] ended(byte[] claimed, Payload payload, long endedAt) {
    byte[] tail = RedisRecord.tail(payload);
    byte[] value = Arrays.copyOf(claimed, claimed.length + tail.length);
    System.arraycopy(tail, 0, value, claimed.length, tail.length);
    value[0] = 'C';
    for (int i = 0; i < 6; i++) {
      value[36 - i] = (byte) (endedAt >>> (8 * i));
    }
    return value;
  }
}
