package dev.semel.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
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
        TakeoverPolicy.IN_DOUBT,
        requestId);
  }

  @Test
  void claimIsReadBackAsItWasWritten() {
    ClaimRequest request = request(Fingerprint.of("body"), "req-1");
    RedisRecord read = RecordCodec.parse(NAME, RecordCodec.claimed(request, 3));
    assertThat(read)
        .isEqualTo(
            new RedisRecord(
                RecordState.IN_FLIGHT,
                request.token(),
                3,
                30_000,
                86_400_000,
                request.fingerprint(),
                "req-1",
                Payload.EMPTY));
  }

  @Test
  void firstClaimWithHashedFingerprintTakes60Bytes() {
    assertThat(RecordCodec.claimed(request(Fingerprint.of("body"), ""), 1)).hasSize(60);
  }

  @Test
  void emptyPayloadTakesNothing() {
    assertThat(RecordCodec.tail(Payload.EMPTY)).isEmpty();
  }

  @Test
  void randomRecordsSurviveTheRoundTrip() {
    Random random = new Random(SEED);
    for (int i = 0; i < 2000; i++) {
      ClaimRequest request = randomRequest(random);
      int attempt = random.nextBoolean() ? 1 : 1 + random.nextInt(Integer.MAX_VALUE);
      byte[] claimed = RecordCodec.claimed(request, attempt);
      Payload payload = randomPayload(random);
      RedisRecord inFlight = RecordCodec.parse(NAME, claimed);
      RedisRecord ended = RecordCodec.parse(NAME, ended(claimed, payload, request.retention()));

      assertThat(inFlight.state()).isEqualTo(RecordState.IN_FLIGHT);
      assertThat(inFlight.leaseMillis()).isEqualTo(request.lease().toMillis());
      assertThat(inFlight.retentionMillis()).isEqualTo(request.retention().toMillis());
      assertThat(ended.state()).isEqualTo(RecordState.COMPLETED);
      assertThat(ended.retentionMillis())
          .isLessThanOrEqualTo(request.retention().toMillis())
          .isGreaterThan((long) (request.retention().toMillis() * 0.999) - 1);
      assertThat(ended.payload()).isEqualTo(payload);
      for (RedisRecord read : List.of(inFlight, ended)) {
        assertThat(read.token()).isEqualTo(request.token());
        assertThat(read.attempt()).isEqualTo(attempt);
        assertThat(read.fingerprint()).isEqualTo(request.fingerprint());
        assertThat(read.requestId()).isEqualTo(request.requestId());
      }
    }
  }

  @Test
  void leaseIsWhatTheTimeToLiveLeavesOfIt() {
    byte[] claimed = RecordCodec.claimed(request(Fingerprint.NONE, ""), 1);
    RedisRecord record = RecordCodec.parse(NAME, claimed);
    StoredRecord atOnce = record.seenWith(NAME, 86_400_000);
    StoredRecord later = record.seenWith(NAME, 86_400_000 - 29_999);
    StoredRecord after = record.seenWith(NAME, 86_400_000 - 30_000);
    assertThat(atOnce.leaseLeft()).isEqualTo(Duration.ofSeconds(30));
    assertThat(later.leaseLeft()).isEqualTo(Duration.ofMillis(1));
    assertThat(after.leaseLeft()).isZero();
    assertThat(after.original().retentionLeft()).isEqualTo(Duration.ofHours(24).minusSeconds(30));
  }

  @Test
  void recordWithoutTimeToLiveIsRefused() {
    RedisRecord record =
        RecordCodec.parse(NAME, RecordCodec.claimed(request(Fingerprint.NONE, ""), 1));
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
        RecordCodec.parse(NAME, garbage);
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("i9y:{default/payments:order-1}");
      }
    }
  }

  @Test
  void everyTruncationOfAClaimIsRefused() {
    byte[] claimed = RecordCodec.claimed(request(Fingerprint.clear("body"), "req-1"), 1);
    for (int length = 0; length < claimed.length; length++) {
      byte[] cut = Arrays.copyOf(claimed, length);
      assertThatThrownBy(() -> RecordCodec.parse(NAME, cut))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no record");
    }
    byte[] longer = Arrays.copyOf(claimed, claimed.length + 1);
    assertThatThrownBy(() -> RecordCodec.parse(NAME, longer)).isInstanceOf(StoreException.class);
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
        KEY, Token.draw(), fingerprint, lease, retention, TakeoverPolicy.IN_DOUBT, requestId);
  }

  private static Payload randomPayload(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return new Payload("t".repeat(random.nextInt(Payload.MAX_TYPE_LENGTH + 1)), bytes);
  }

  /** The bytes that the completion script makes of a claim. */
  private static byte[] ended(byte[] claimed, Payload payload, Duration retention) {
    byte[] tail = RecordCodec.tail(payload);
    int shape = claimed[17] + (tail.length > 0 ? RecordCodec.PAYLOAD : 0);
    int rest = claimed.length - RecordCodec.HEADER_BYTES;
    return ByteBuffer.allocate(20 + rest + tail.length)
        .put((byte) 'C')
        .put(claimed, 1, 16)
        .put((byte) shape)
        .put(RecordCodec.rounded(retention))
        .put(claimed, RecordCodec.HEADER_BYTES, rest)
        .put(tail)
        .array();
  }
}
