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
import dev.semel.internal.Ids;
import dev.semel.testservices.RedisService;
import io.lettuce.core.KillArgs;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With wait=1, a change is acknowledged only once a replica has it. */
@Tag("service")
class ReplicaWaitTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ExecutionEnd ENDING =
      ExecutionEnd.completed(new Payload("text/plain", new byte[] {42}));

  private final Key key = Key.of("payments", Ids.uuid7().toString());
  private final Token token = Token.draw();
  private RedisService primary;
  private RedisService replica;
  private RedisUnderTest direct;
  private RedisStore store;

  @BeforeEach
  void open() {
    primary = RedisService.start("--repl-diskless-sync-delay", "0");
    replica = RedisService.start("--replicaof", "127.0.0.1 " + primary.port());
    direct = new RedisUnderTest(primary);
    store = RedisStore.open(primary.url() + "?wait=1&wait-timeout=100ms");
    Reconnecting.until(
        () -> store.idempotency().claim(request(Key.of("warm", "up"), Token.draw())));
  }

  @AfterEach
  void close() {
    store.close();
    direct.close();
    replica.close();
    primary.close();
  }

  private static ClaimRequest request(Key key, Token token) {
    return new ClaimRequest(key, token, Fingerprint.NONE, HOUR, HOUR, TakeoverPolicy.IN_DOUBT, "");
  }

  private static void assertUnconfirmed(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("0 of 1 replicas")
        .hasMessageContaining("may or may not survive a failover")
        .hasMessageContaining("the same token is safe");
  }

  @Test
  void everyStepIsConfirmed() {
    assertThat(Reconnecting.until(() -> store.idempotency().claim(request(key, token))))
        .isInstanceOf(ClaimResult.Granted.class);
    replica.kill();
    assertUnconfirmed(() -> store.idempotency().renew(key, token, HOUR));
    assertUnconfirmed(() -> store.idempotency().complete(key, token, ENDING, HOUR));
    Key other = Key.of("payments", Ids.uuid7().toString());
    assertUnconfirmed(() -> store.idempotency().claim(request(other, token)));
    assertUnconfirmed(() -> store.idempotency().release(other, token));
  }

  @Test
  void whatChangesNothingIsNotWaitedFor() {
    Reconnecting.until(() -> store.idempotency().claim(request(key, token)));
    Reconnecting.until(() -> store.idempotency().complete(key, token, ENDING, HOUR));
    replica.kill();
    assertThat(store.idempotency().claim(request(key, Token.draw())))
        .isInstanceOf(ClaimResult.Replay.class);
    assertThat(store.idempotency().renew(key, Token.draw(), HOUR)).isFalse();
    assertThat(store.idempotency().find(key)).isPresent();
  }

  private RedisStore another() {
    return RedisStore.open(primary.url() + "?wait=1&wait-timeout=100ms");
  }

  /**
   * The replica is still connected, so a WAIT on a connection without writes would succeed at once.
   */
  @Test
  void repeatThroughAnotherConnectionIsConfirmedToo() {
    replica.freeze();
    assertUnconfirmed(() -> store.idempotency().claim(request(key, token)));
    try (RedisStore second = another()) {
      assertUnconfirmed(() -> second.idempotency().claim(request(key, token)));
    }
    assertUnconfirmed(() -> store.idempotency().complete(key, token, ENDING, HOUR));
    try (RedisStore third = another()) {
      assertUnconfirmed(() -> third.idempotency().complete(key, token, ENDING, HOUR));
      replica.thaw();
      assertThat(Reconnecting.until(() -> third.idempotency().complete(key, token, ENDING, HOUR)))
          .isTrue();
    }
  }

  @Test
  void repeatWithTheSameTokenIsGrantedOnceAReplicaHasIt() {
    replica.kill();
    assertUnconfirmed(() -> store.idempotency().claim(request(key, token)));
    replica.restart();
    assertThat(Reconnecting.until(() -> store.idempotency().claim(request(key, token))))
        .isEqualTo(new ClaimResult.Granted(token, 1, false));
  }

  @Test
  void connectionThatBrokeIsReplaced() {
    direct.commands().clientKill(KillArgs.Builder.typeNormal());
    assertThat(Reconnecting.until(() -> store.idempotency().claim(request(key, token))))
        .isEqualTo(new ClaimResult.Granted(token, 1, false));
  }
}
