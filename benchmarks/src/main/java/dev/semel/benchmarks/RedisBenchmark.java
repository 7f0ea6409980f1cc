package dev.semel.benchmarks;

import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Payload;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.RedisService;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Our store against the same commands sent bare: 64 virtual threads share one connection. */
final class RedisBenchmark {
  private static final int THREADS = 64;
  private static final int WARM_KEYS = 1000;
  private static final int MEASURED_KEYS = 100_000;
  private static final long DAY = Duration.ofDays(1).toMillis();

  /** Compares the token, and replaces the value by the response: the minimum for fencing. */
  private static final String COMPLETE =
      """
      local value = redis.call('GET', KEYS[1])
      if not value or string.sub(value, 2, 17) ~= ARGV[1] then return 0 end
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
      return 1
      """;

  private final RedisAsyncCommands<byte[], byte[]> raw;
  private final byte[] script = COMPLETE.getBytes(StandardCharsets.UTF_8);
  private final String sha;
  private final byte[] token = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private final byte[] pending =
      ("P0123456789abcdef" + "x".repeat(55)).getBytes(StandardCharsets.US_ASCII);
  private final byte[] ended =
      ("C0123456789abcdef" + "x".repeat(90)).getBytes(StandardCharsets.US_ASCII);
  private final byte[] day = Long.toString(DAY).getBytes(StandardCharsets.US_ASCII);

  private RedisBenchmark(StatefulRedisConnection<byte[], byte[]> connection) throws Exception {
    this.raw = connection.async();
    this.sha = wait(raw.scriptLoad(script));
  }

  static void run(Findings out) throws Exception {
    try (RedisService service = RedisService.start("--appendonly", "no");
        RedisStore store = RedisStore.open(service.url());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      RedisClient client = RedisClient.create(service.url());
      try (StatefulRedisConnection<byte[], byte[]> connection =
              client.connect(ByteArrayCodec.INSTANCE);
          RedissonPeer redisson = new RedissonPeer(service.url())) {
        new RedisBenchmark(connection).race(out, idempotency, store, redisson);
        bytesPerKey(out, store, connection);
      } finally {
        client.shutdown();
      }
    }
  }

  private void race(Findings out, Idempotency idempotency, RedisStore store, RedissonPeer redisson)
      throws Exception {
    Race race =
        new Race(
            THREADS, Thread.ofVirtual().name("bench-", 0).factory(), Duration.ofSeconds(3), out);
    race.run(
        "redis, first execution, 64 virtual threads",
        number -> execute(idempotency, Key.of("payment", "order-" + number)),
        "raw SET NX GET PX + EVALSHA",
        this::firstRaw,
        0.9);
    race.peer(
        "redis, first execution, 64 virtual threads",
        number -> execute(idempotency, Key.of("payment", "order-" + number)),
        "Redisson, lock and bucket",
        number -> redisson.execute("order-" + number),
        Double.NaN);
    Key[] done =
        IntStream.range(0, WARM_KEYS)
            .mapToObj(i -> Key.of("payment", "done-" + i))
            .toArray(Key[]::new);
    for (Key key : done) {
      execute(idempotency, key);
      wait(raw.set(name(key), ended));
      redisson.execute(key.id());
      execute(idempotency, key);
    }
    race.run(
        "redis, replay, 64 virtual threads",
        number -> execute(idempotency, done[(int) (number % WARM_KEYS)]),
        "raw GET",
        number -> wait(raw.get(name(done[(int) (number % WARM_KEYS)]))),
        0.9);
    race.peer(
        "redis, replay, 64 virtual threads",
        number -> execute(idempotency, done[(int) (number % WARM_KEYS)]),
        "Redisson, bucket",
        number -> redisson.replay(done[(int) (number % WARM_KEYS)].id()),
        Double.NaN);
    Unobserved.race(race, "redis, with events and statistics", store);
  }

  private static void execute(Idempotency idempotency, Key key) {
    idempotency.execute(key, FINGERPRINT, Codec.utf8(), execution -> "receipt");
  }

  private static final Fingerprint FINGERPRINT = Fingerprint.of("10 EUR");

  private static byte[] name(Key key) {
    return ("raw:" + key.text()).getBytes(StandardCharsets.UTF_8);
  }

  private void firstRaw(long number) throws Exception {
    byte[] name = ("raw:default/payment:order-" + number).getBytes(StandardCharsets.UTF_8);
    wait(raw.setGet(name, pending, new SetArgs().nx().px(DAY)));
    wait(raw.<Long>evalsha(sha, ScriptOutputType.INTEGER, new byte[][] {name}, token, ended, day));
  }

  private static <T> T wait(RedisFuture<T> answer) throws Exception {
    return answer.get(5, TimeUnit.SECONDS);
  }

  /**
   * Measures the memory of a completed record with a UUID as its id, a fingerprint, and no
   * response.
   */
  private static void bytesPerKey(
      Findings out, RedisStore store, StatefulRedisConnection<byte[], byte[]> connection) {
    connection.sync().flushall();
    long before = usedMemory(connection);
    int keys = out.pace().count(MEASURED_KEYS);
    for (int i = 0; i < keys; i++) {
      Records.complete(store.idempotency(), Payload.EMPTY);
    }
    double bytes = (double) (usedMemory(connection) - before) / keys;
    out.add(Figure.alone("redis, memory per key without its response", bytes, "bytes", 250));
  }

  private static long usedMemory(StatefulRedisConnection<byte[], byte[]> connection) {
    return connection
        .sync()
        .info("memory")
        .lines()
        .filter(line -> line.startsWith("used_memory:"))
        .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
        .findFirst()
        .orElseThrow();
  }
}
