package dev.semel.redis;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.proof.fault.ManyKeys;
import dev.semel.redis.internal.RecordCodec;
import dev.semel.redis.internal.RedisKey;
import dev.semel.testservices.RedisService;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

@Tag("proof")
class RedisManyKeysTest {
  private static final int BATCH = 10_000;
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path folder;

  /** The child. */
  static final class Lister {
    private Lister() {}

    public static void main(String[] arguments) {
      try (RedisStore store = RedisStore.open(arguments[0])) {
        ManyKeys.list(store);
      }
    }
  }

  @Test
  void aMillionKeysAreListedPageByPage(TestReporter report) {
    try (RedisService service = RedisService.start("--appendonly", "no")) {
      fill(service);
      try (ChildJvm child =
          ChildJvm.start(Lister.class, folder.resolve("child.log"), service.url())) {
        child.awaitSuccess();
        report.publishEntry("keys", "" + ManyKeys.COUNT);
        System.out.print("redis, " + child.output());
      }
    }
  }

  private static void fill(RedisService service) {
    RedisClient client = RedisClient.create(service.url());
    try (StatefulRedisConnection<byte[], byte[]> connection =
        client.connect(ByteArrayCodec.INSTANCE)) {
      for (int from = 0; from < ManyKeys.COUNT; from += BATCH) {
        RedisFuture<?>[] sent =
            IntStream.range(from, from + BATCH)
                .mapToObj(i -> set(connection, Key.of("payments", "order-" + i)))
                .toArray(RedisFuture[]::new);
        LettuceFutures.awaitAll(1, TimeUnit.MINUTES, sent);
      }
    } finally {
      client.shutdown();
    }
  }

  private static RedisFuture<String> set(
      StatefulRedisConnection<byte[], byte[]> connection, Key key) {
    ClaimRequest claim =
        new ClaimRequest(
            key, Token.draw(), Fingerprint.NONE, DAY, DAY, TakeoverPolicy.IN_DOUBT, "");
    return connection
        .async()
        .set(RedisKey.name(key), RecordCodec.claimed(claim, 1), new SetArgs().px(DAY.toMillis()));
  }
}
