package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.Ids;
import dev.semel.loop.internal.Loop;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A command took effect, but the connection broke before its answer. By default the client, and so
 * an application's connection, repeats the command; our own connections fail.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
class LostAnswerTest {
  private static final Duration LEASE = Duration.ofMillis(50);
  private static final Duration RETENTION = Duration.ofHours(1);
  private static final ExecutionEnd ENDING =
      ExecutionEnd.completed(new Payload("text/plain", new byte[] {42}));

  private final Key key = Key.of("payments", Ids.uuid7().toString());
  private final Token token = Token.draw();
  private ForgetfulProxy proxy;
  private RedisClient client;
  private RedisStore store;
  private RedisUnderTest direct;

  @BeforeEach
  void open(RedisService redis) throws IOException {
    proxy = new ForgetfulProxy(redis.port());
    client = RedisClient.create(proxy.url());
    store = RedisStore.over(client.connect(ByteArrayCodec.INSTANCE));
    direct = new RedisUnderTest(redis);
  }

  @AfterEach
  void close() {
    client.shutdown();
    direct.close();
    proxy.close();
  }

  private static ClaimRequest request(Key key, Token token, Duration lease) {
    return new ClaimRequest(
        key, token, Fingerprint.NONE, lease, RETENTION, TakeoverPolicy.RUN_AGAIN, "");
  }

  private void claim(IdempotencyStore by, Token token, Duration lease) {
    assertThat(by.claim(request(key, token, lease))).isInstanceOf(ClaimResult.Granted.class);
  }

  /** Loads the scripts first, because an unknown one costs one more round trip. */
  private void warmUp() {
    Key other = Key.of("payments", Ids.uuid7().toString());
    store.idempotency().claim(request(other, Token.draw(), LEASE));
    direct.elapse(LEASE);
    store.idempotency().claim(request(other, token, RETENTION));
    store.idempotency().release(other, token);
    store.idempotency().complete(other, token, ENDING, RETENTION);
    store.catalog().forceRelease(other);
    store.catalog().delete(other);
  }

  /** Loses one of the step's answers, does something else, and lets the step continue. */
  private <T> T losing(int answer, Supplier<T> step, Runnable meanwhile)
      throws InterruptedException {
    warmUp();
    proxy.loseAnswer(answer);
    CompletableFuture<T> result = new CompletableFuture<>();
    Loop.beside("step", () -> result.completeAsync(step, Runnable::run));
    proxy.awaitLoss();
    meanwhile.run();
    proxy.letThrough();
    return result.join();
  }

  private StoredRecord found() {
    return direct.idempotency().find(key).orElseThrow();
  }

  @Test
  void claimIsRecognisedAsItsOwn() throws InterruptedException {
    ClaimResult claim =
        losing(
            1,
            () -> store.idempotency().claim(request(key, token, RETENTION)),
            () -> assertThat(found().token()).isEqualTo(token));
    assertThat(claim).isEqualTo(new ClaimResult.Granted(token, 1, false));
  }

  @Test
  void takeoverIsRecognisedAsItsOwn() throws InterruptedException {
    claim(direct.idempotency(), Token.draw(), LEASE);
    direct.elapse(LEASE);
    // The first two answers are the record, and the record with its time to live.
    ClaimResult claim =
        losing(
            3,
            () -> store.idempotency().claim(request(key, token, RETENTION)),
            () -> assertThat(found().token()).isEqualTo(token));
    assertThat(claim).isEqualTo(new ClaimResult.Granted(token, 2, true));
  }

  @Test
  void completionIsStillTrue() throws InterruptedException {
    claim(store.idempotency(), token, RETENTION);
    boolean completed =
        losing(
            1,
            () -> store.idempotency().complete(key, token, ENDING, RETENTION),
            () -> assertThat(found().state()).isEqualTo(RecordState.COMPLETED));
    assertThat(completed).isTrue();
    assertThat(found().payload()).isEqualTo(ENDING.payload());
  }

  @Test
  void releaseIsStillTrue() throws InterruptedException {
    claim(store.idempotency(), token, RETENTION);
    boolean released =
        losing(
            1,
            () -> store.idempotency().release(key, token),
            () -> assertThat(found().state()).isEqualTo(RecordState.RELEASED));
    assertThat(released).isTrue();
  }

  @Test
  void releaseLeavesTheNextHolderAlone() throws InterruptedException {
    claim(store.idempotency(), token, RETENTION);
    Token next = Token.draw();
    losing(
        1,
        () -> store.idempotency().release(key, token),
        () -> claim(direct.idempotency(), next, RETENTION));
    assertThat(found().token()).isEqualTo(next);
  }

  @Test
  void forcedReleaseLeavesTheNextHolderAlone() throws InterruptedException {
    claim(direct.idempotency(), token, RETENTION);
    Token next = Token.draw();
    boolean released =
        losing(
            2,
            () -> store.catalog().forceRelease(key),
            () -> claim(direct.idempotency(), next, RETENTION));
    assertThat(released).isTrue();
    assertThat(found().token()).isEqualTo(next);
    assertThat(found().state()).isEqualTo(RecordState.IN_FLIGHT);
  }

  @Test
  void deletionLeavesTheNextHolderAlone() throws InterruptedException {
    claim(direct.idempotency(), token, RETENTION);
    Token next = Token.draw();
    losing(
        2, () -> store.catalog().delete(key), () -> claim(direct.idempotency(), next, RETENTION));
    assertThat(found().token()).isEqualTo(next);
  }

  @Test
  void connectionOfOurOwnFailsAndTheCallerFindsOutByAskingAgain(RedisService redis)
      throws IOException, InterruptedException {
    try (ForgetfulProxy between = new ForgetfulProxy(redis.port());
        RedisStore own = RedisStore.open(between.url())) {
      between.loseAnswer(1);
      assertThatThrownBy(() -> own.idempotency().claim(request(key, token, RETENTION)))
          .isInstanceOf(StoreException.class);
      between.awaitLoss();
      between.letThrough();
      assertThat(Reconnecting.until(() -> own.idempotency().claim(request(key, token, RETENTION))))
          .isEqualTo(new ClaimResult.Granted(token, 1, false));
    }
  }
}
