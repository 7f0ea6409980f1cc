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
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.Ids;
import dev.semel.loop.internal.Loop;
import dev.semel.redis.internal.RedisOptions;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
class RedisStoreTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ExecutionEnd ENDING =
      ExecutionEnd.completed(new Payload("text/plain", bytes("done")));
  private static RedisUnderTest shared;

  private final Key key = Key.of("payments", Ids.uuid7().toString());
  private final String name = "i9y:{" + key.text() + "}";
  private final Token token = Token.draw();

  @BeforeAll
  static void open(RedisService redis) {
    shared = new RedisUnderTest(redis);
  }

  @AfterAll
  static void close() {
    shared.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private ClaimRequest request() {
    return new ClaimRequest(
        key, token, Fingerprint.of("body"), HOUR, HOUR, TakeoverPolicy.IN_DOUBT, "req-1");
  }

  @Nested
  class Opening {
    @Test
    void serverThatEvictsIsRefusedUnlessAllowed() {
      try (RedisService evicting = RedisService.start("--maxmemory-policy", "allkeys-lru")) {
        assertThatThrownBy(() -> RedisStore.open(evicting.url()))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("127.0.0.1:" + evicting.port())
            .hasMessageContaining("allkeys-lru")
            .hasMessageContaining("noeviction");
        try (RedisStore allowed = RedisStore.open(evicting.url() + "?eviction=allow")) {
          assertThat(allowed.idempotency().find(key)).isEmpty();
        }
      }
    }

    @Test
    void roomIsThatOfTheMemoryWhereItHasALimit() {
      assertThat(shared.store().room()).as("without maxmemory").isEmpty();
      try (RedisService small = RedisService.start("--maxmemory", "64mb");
          RedisStore store = RedisStore.open(small.url())) {
        Store.Room room = store.room().orElseThrow();
        assertThat(room.limit()).isEqualTo(64L << 20);
        assertThat(room.used()).isBetween(1L, room.limit());
      }
    }

    @Test
    void addressWhereNobodyListensIsNamedWithoutThePassword() throws IOException {
      int port;
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      assertThatThrownBy(() -> RedisStore.open("redis://alice:s3cret@127.0.0.1:" + port))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("Redis at 127.0.0.1:" + port + " can't be reached")
          .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("s3cret"));
    }

    @Test
    void serverThatNeverAnswersIsGivenUpWithinTheTimeout() throws IOException {
      try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        long start = System.nanoTime();
        String url = "redis://127.0.0.1:" + silent.getLocalPort() + "?timeout=300ms";
        assertThatThrownBy(() -> RedisStore.open(url))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("127.0.0.1:" + silent.getLocalPort());
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isLessThan(RedisOptions.COMMAND_TIMEOUT);
      }
    }

    @Test
    void wrongPasswordIsToldApartAndNotRepeated() {
      try (RedisService guarded = RedisService.start("--requirepass", "r1ght")) {
        String address = "127.0.0.1:" + guarded.port();
        assertThatThrownBy(() -> RedisStore.open("redis://:wr0ng@" + address))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("refused the user or password")
            .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("wr0ng"));
        assertThatThrownBy(() -> RedisStore.open("redis://" + address))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("refused the user or password");
        try (RedisStore store = RedisStore.open("redis://:r1ght@" + address + "/2")) {
          assertThat(store.idempotency().claim(request())).isInstanceOf(ClaimResult.Granted.class);
        }
      }
    }

    @Test
    void connectionOfTheApplicationStaysItsOwn(RedisService redis) {
      RedisClient client = RedisClient.create(redis.url());
      try (StatefulRedisConnection<byte[], byte[]> connection =
          client.connect(ByteArrayCodec.INSTANCE)) {
        try (RedisStore store = RedisStore.over(connection)) {
          assertThat(store.idempotency().claim(request())).isInstanceOf(ClaimResult.Granted.class);
        }
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      } finally {
        client.shutdown();
      }
    }

    @Test
    void connectionThatMayTakeAnyTimeIsWaitedFor(RedisService redis) {
      RedisClient client = RedisClient.create(redis.url());
      try (StatefulRedisConnection<byte[], byte[]> connection =
          client.connect(ByteArrayCodec.INSTANCE)) {
        connection.setTimeout(Duration.ZERO);
        assertThat(RedisStore.over(connection).idempotency().claim(request()))
            .isInstanceOf(ClaimResult.Granted.class);
      } finally {
        client.shutdown();
      }
    }

    private String stackTrace(Throwable e) {
      StringWriter out = new StringWriter();
      e.printStackTrace(new PrintWriter(out));
      return out.toString();
    }
  }

  @Nested
  class Waiting {
    /** Makes Redis delay all clients' writes until it is unpaused or the time is over. */
    private void pauseWrites(RedisUnderTest store, Duration d) {
      store
          .commands()
          .dispatch(
              CommandType.CLIENT,
              new StatusOutput<>(StringCodec.UTF8),
              new CommandArgs<>(StringCodec.UTF8).add("PAUSE").add(d.toMillis()).add("WRITE"));
    }

    @Test
    void callThatIsNotAnsweredFailsAfterTheTimeoutAndLeavesTheConnectionUsable() {
      try (RedisService redis = RedisService.start();
          RedisUnderTest other = new RedisUnderTest(redis);
          RedisStore store = RedisStore.open(redis.url() + "?timeout=2s")) {
        pauseWrites(other, HOUR);
        assertThatThrownBy(() -> store.idempotency().claim(request()))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("did not answer within 2000 ms")
            .hasMessageContaining("unknown");
        unpause(other);
        assertThat(Reconnecting.until(() -> store.idempotency().claim(request())))
            .isEqualTo(new ClaimResult.Granted(token, 1, false));
      }
    }

    private void unpause(RedisUnderTest store) {
      store
          .commands()
          .dispatch(
              CommandType.CLIENT,
              new StatusOutput<>(StringCodec.UTF8),
              new CommandArgs<>(StringCodec.UTF8).add("UNPAUSE"));
    }

    @Test
    void callInProgressFailsWhenTheStoreIsClosed() throws Exception {
      try (RedisService redis = RedisService.start();
          RedisUnderTest other = new RedisUnderTest(redis)) {
        RedisStore store = RedisStore.open(redis.url() + "?timeout=60s");
        pauseWrites(other, HOUR);
        CompletableFuture<ClaimResult> claim = new CompletableFuture<>();
        Loop.beside(
            "claim",
            () -> claim.completeAsync(() -> store.idempotency().claim(request()), Runnable::run));
        while (!other.commands().clientList().contains("cmd=set")) {
          Thread.onSpinWait();
        }
        store.close();
        assertThatThrownBy(claim::join).hasCauseInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.idempotency().find(key)).isInstanceOf(StoreException.class);
      }
    }
  }

  @Nested
  class Surviving {
    @Test
    void scriptsThatRedisForgotAreSentAgain() {
      shared.idempotency().claim(request());
      shared.commands().scriptFlush();
      assertThat(shared.idempotency().renew(key, token, HOUR)).isTrue();
      shared.commands().scriptFlush();
      assertThat(shared.idempotency().complete(key, token, ENDING, HOUR)).isTrue();
      shared.commands().scriptFlush();
      assertThat(shared.idempotency().find(key)).isPresent();
      shared.commands().scriptFlush();
      assertThat(shared.catalog().list(key.text(), "", 10).entries()).hasSizeLessThanOrEqualTo(1);
      shared.commands().scriptFlush();
      assertThat(shared.catalog().forceRelease(key)).isTrue();
    }

    @Test
    void claimSurvivesACrashOfTheServerAndIsCompletedAfterwards() {
      try (RedisService redis = RedisService.start("--appendfsync", "always");
          RedisUnderTest store = new RedisUnderTest(redis)) {
        assertThat(store.idempotency().claim(request())).isInstanceOf(ClaimResult.Granted.class);
        redis.kill();
        assertThatThrownBy(() -> store.idempotency().complete(key, token, ENDING, HOUR))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("127.0.0.1:" + redis.port());
        redis.restart();

        assertThat(Reconnecting.until(() -> store.idempotency().complete(key, token, ENDING, HOUR)))
            .isTrue();
        assertThat(store.idempotency().find(key).orElseThrow().payload())
            .isEqualTo(ENDING.payload());
      }
    }
  }

  @Nested
  class SomethingElse {
    @Test
    void writtenUnderAKeyIsRefusedAndCanBeDeleted() {
      shared.commands().set(name, "not a record");
      assertThatThrownBy(() -> shared.idempotency().claim(request()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(name)
          .hasMessageContaining("no record");
      assertThatThrownBy(() -> shared.idempotency().find(key)).isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> shared.catalog().forceRelease(key))
          .isInstanceOf(StoreException.class);
      assertThat(shared.idempotency().complete(key, token, ENDING, HOUR)).isFalse();
      assertThat(shared.catalog().delete(key)).isTrue();
      assertThat(shared.idempotency().claim(request())).isInstanceOf(ClaimResult.Granted.class);
    }

    @Test
    void ofAnotherTypeIsRefusedWithAdvice() {
      shared.commands().hset(name, "field", "value");
      assertThatThrownBy(() -> shared.idempotency().claim(request()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("give Semel a database of its own");
      shared.commands().del(name);
    }

    @Test
    void underThePrefixDoesNotHideTheRecords() {
      shared.idempotency().claim(request());
      shared.commands().set("i9y:{" + key.text() + "-foreign}", "not a record");
      shared.commands().set("i9y:{" + key.text(), "not even a name");
      shared.commands().hset("i9y:{" + key.text() + "-hash}", "field", "value");
      assertThat(shared.catalog().list(key.text(), "", 1000).entries())
          .extracting(KeyEntry::key)
          .containsExactly(key);
    }

    @Test
    void thatTookTheTimeToLiveAwayIsNoticed() {
      shared.idempotency().claim(request());
      shared.commands().persist(name);
      assertThatThrownBy(() -> shared.idempotency().find(key))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("time to live");
      assertThat(shared.catalog().delete(key)).isTrue();
    }
  }
}
