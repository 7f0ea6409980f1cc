package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.KeyCatalog.Usage;
import dev.semel.redis.internal.KeyScan;
import dev.semel.redis.internal.ServerInfo;
import dev.semel.testservices.RedisService;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A record's cost in Redis's memory, by Redis's own count. */
@Tag("service")
class MemoryTest {
  private static final int WARM_UP = 200;
  private static final int KEYS = 10_000;
  private static final int MAX_BYTES_PER_KEY = 250;
  private static final Duration RETENTION = Duration.ofHours(24);

  private static void complete(int keys, RedisUnderTest store) {
    for (int i = 0; i < keys; i++) {
      completeNew(store);
    }
  }

  private static void completeNew(RedisUnderTest store) {
    Key key = Key.of("payments", UUID.randomUUID().toString());
    Token token = Token.draw();
    Fingerprint fingerprint = Fingerprint.of(key.id());
    store
        .idempotency()
        .claim(
            new ClaimRequest(
                key,
                token,
                fingerprint,
                Duration.ofSeconds(30),
                RETENTION,
                TakeoverPolicy.IN_DOUBT,
                ""));
    store.idempotency().complete(key, token, ExecutionEnd.completed(Payload.EMPTY), RETENTION);
  }

  private static long usedMemory(RedisUnderTest store) {
    return Long.parseLong(ServerInfo.parse(store.commands().info("memory")).field("used_memory"));
  }

  @Test
  void completedRecordWithoutResponseTakesAtMost250Bytes() {
    try (RedisService redis = RedisService.start("--appendonly", "no");
        RedisUnderTest store = new RedisUnderTest(redis)) {
      complete(WARM_UP, store); // scripts are loaded and the connections' buffers have grown
      long before = usedMemory(store);
      complete(KEYS, store);
      double perKey = (double) (usedMemory(store) - before) / KEYS;
      Usage usage = store.catalog().usage();
      System.out.printf(
          "bytes per key: %.1f by used_memory, %.1f by MEMORY USAGE%n",
          perKey, (double) usage.bytes() / usage.activeKeys());
      assertThat(perKey).isLessThanOrEqualTo(MAX_BYTES_PER_KEY);
      assertThat(usage.activeKeys()).isEqualTo(WARM_UP + KEYS);
      assertThat(usage.exact()).isTrue();
    }
  }

  @Test
  void usageOfManyKeysIsExtrapolated() {
    int keys = 2 * KeyScan.MAX_USAGE_KEYS;
    try (RedisService redis = RedisService.start("--appendonly", "no");
        RedisUnderTest store = new RedisUnderTest(redis)) {
      // Half of them have names like ours; their values do not matter for counting.
      store
          .commands()
          .eval(
              "for i = 1, %d do redis.call('SET', 'i9y:{default/a:' .. i .. '}', i); redis.call('SET', 'other:' .. i, i) end"
                  .formatted(keys / 2),
              ScriptOutputType.STATUS);
      Usage usage = store.catalog().usage();
      assertThat(usage.exact()).isFalse();
      assertThat(usage.activeKeys()).isBetween((long) (keys * 0.45), (long) (keys * 0.55));
    }
  }
}
