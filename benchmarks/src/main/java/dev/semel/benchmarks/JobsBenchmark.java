package dev.semel.benchmarks;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.ReservedJob;
import dev.semel.redis.RedisJobs;
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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Jobs on Redis against the minimum for a queue of the same shape, by bare scripts: 64 virtual
 * threads share one connection, and each enqueues a job, takes one and completes it.
 */
final class JobsBenchmark {
  private static final int THREADS = 64;
  private static final int BATCH = 100;
  private static final int KNOWN = 1000;
  private static final int CHECKS = 20_000;
  private static final int BATCHES = 2000;
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final Operation QUEUE = new Operation("payments");
  private static final byte[] NOTHING = {};

  /** Checks for the key, writes the record, and enqueues it. */
  private static final String ENQUEUE =
      """
      local now = redis.call('TIME')
      local name = KEYS[1] .. '/' .. ARGV[1]
      if redis.call('EXISTS', name) == 1 then return 0 end
      redis.call('HSET', name, 's', ARGV[2], 'i', ARGV[3], 'b', ARGV[4])
      redis.call('ZADD', KEYS[1] .. ':1', now[1] * 1000000 + now[2], ARGV[1])
      return 1
      """;

  /** Takes the first due job of one priority, and writes the owner. */
  private static final String RESERVE =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000000 + time[2]
      local due = redis.call('ZRANGEBYSCORE', KEYS[1] .. ':1', '-inf', now, 'LIMIT', 0, 1)
      if not due[1] then return {} end
      local name = KEYS[1] .. '/' .. due[1]
      local record = redis.call('HMGET', name, 's', 'i', 'b')
      redis.call('HSET', name, 's', ARGV[1])
      redis.call('ZREM', KEYS[1] .. ':1', due[1])
      redis.call('ZADD', KEYS[1] .. ':l', now + 60000000, due[1])
      return {due[1], record[1], record[2], record[3]}
      """;

  /** Compares the token, writes the end, and sets the record's expiry. */
  private static final String COMPLETE =
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000000 + time[2]
      local name = KEYS[1] .. '/' .. ARGV[1]
      if redis.call('HGET', name, 's') ~= ARGV[2] then return 0 end
      redis.call('ZREM', KEYS[1] .. ':l', ARGV[1])
      redis.call('HSET', name, 's', ARGV[3])
      redis.call('HDEL', name, 'b')
      redis.call('PEXPIRE', name, 86400000)
      redis.call('ZADD', KEYS[1] .. ':c', now + 86400000000, ARGV[1])
      return 1
      """;

  /** Compares the token of an execution, and writes its end. */
  private static final String RECORD =
      """
      local value = redis.call('GET', KEYS[1])
      if not value or string.sub(value, 2, 17) ~= ARGV[1] then return 0 end
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
      return 1
      """;

  private final RedisAsyncCommands<byte[], byte[]> raw;
  private final String record;
  private final String enqueue;
  private final String reserve;
  private final String complete;
  private final byte[][] queue = {bytes("raw:{payments:0}")};
  private final byte[] waiting = bytes("P" + "0".repeat(45));
  private final byte[] taken = bytes("W" + "1".repeat(45));
  private final byte[] done = bytes("C" + "1".repeat(45));
  private final byte[] info = bytes("i".repeat(54));
  private final byte[] payload = bytes("x".repeat(100));
  private final byte[] token = bytes("0123456789abcdef");
  private final byte[] claimed = bytes("P0123456789abcdef" + "x".repeat(55));
  private final byte[] recorded = bytes("C0123456789abcdef" + "x".repeat(83));
  private final byte[] day = bytes(Long.toString(DAY));

  private JobsBenchmark(StatefulRedisConnection<byte[], byte[]> connection) throws Exception {
    this.raw = connection.async();
    this.record = wait(raw.scriptLoad(bytes(RECORD)));
    this.enqueue = wait(raw.scriptLoad(bytes(ENQUEUE)));
    this.reserve = wait(raw.scriptLoad(bytes(RESERVE)));
    this.complete = wait(raw.scriptLoad(bytes(COMPLETE)));
  }

  static void run(Findings out) throws Exception {
    try (RedisService service = RedisService.start("--appendonly", "no");
        RedisStore store = RedisStore.open(service.url());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE);
        RedisJobs jobs = RedisJobs.on(store)) {
      RedisClient client = RedisClient.create(service.url());
      try (StatefulRedisConnection<byte[], byte[]> connection =
          client.connect(ByteArrayCodec.INSTANCE)) {
        new JobsBenchmark(connection).race(out, jobs, idempotency);
        duplicates(out, jobs);
      } finally {
        client.shutdown();
      }
    }
  }

  private void race(Findings out, RedisJobs jobs, Idempotency idempotency) throws Exception {
    Race race =
        new Race(
            THREADS, Thread.ofVirtual().name("bench-", 0).factory(), Duration.ofSeconds(3), out);
    race.run(
        "jobs on redis, enqueue + reserve + complete",
        number -> ours(jobs, number),
        "raw EVALSHA, three times",
        number -> raw(number, false),
        0.7);
    race.run(
        "jobs on redis, with claim and record",
        number -> oursOnce(jobs, idempotency, number),
        "raw, with SET NX GET PX + EVALSHA more",
        number -> raw(number, true),
        0.7);
    race.cost(
        "jobs on redis, processor time",
        number -> ours(jobs, number),
        number -> raw(number, false),
        this::redisNanos);
    race.cost(
        "jobs on redis, with claim and record, processor time",
        number -> oursOnce(jobs, idempotency, number),
        number -> raw(number, true),
        this::redisNanos);
  }

  private long redisNanos() {
    try {
      double seconds =
          wait(raw.info("cpu"))
              .lines()
              .filter(line -> line.matches("used_cpu_(user|sys):.*"))
              .mapToDouble(
                  line -> Double.parseDouble(line.substring(line.indexOf(':') + 1).strip()))
              .sum();
      return (long) (seconds * 1e9);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void ours(RedisJobs jobs, long number) {
    jobs.enqueue(Job.of(key("order-" + number), payload));
    for (ReservedJob held : jobs.reserve(QUEUE, 1, LEASE)) {
      if (!jobs.complete(held)) {
        throw new IllegalStateException("a job was lost");
      }
    }
  }

  /** A worker's whole work on a job. */
  private void oursOnce(RedisJobs jobs, Idempotency idempotency, long number) {
    jobs.enqueue(Job.of(key("once-" + number), payload));
    for (ReservedJob held : jobs.reserve(QUEUE, 1, LEASE)) {
      idempotency.execute(
          ExecutionRequest.of(held.job().key(), Codec.bytes()).withRequestId(held.job().id()),
          execution -> NOTHING);
      if (!jobs.complete(held)) {
        throw new IllegalStateException("a job was lost");
      }
    }
  }

  private void raw(long number, boolean once) throws Exception {
    byte[] member = bytes("default/%s-%d".formatted(once ? "once" : "order", number));
    wait(
        raw.<Long>evalsha(
            enqueue, ScriptOutputType.INTEGER, queue, member, waiting, info, payload));
    List<byte[]> held =
        wait(raw.<List<byte[]>>evalsha(reserve, ScriptOutputType.MULTI, queue, taken));
    if (!held.isEmpty()) {
      if (once) {
        byte[][] name = {bytes("raw:" + new String(held.get(0), StandardCharsets.UTF_8))};
        wait(raw.setGet(name[0], claimed, new SetArgs().nx().px(DAY)));
        wait(raw.<Long>evalsha(record, ScriptOutputType.INTEGER, name, token, recorded, day));
      }
      wait(raw.<Long>evalsha(complete, ScriptOutputType.INTEGER, queue, held.get(0), taken, done));
    }
  }

  private static Key key(String id) {
    return Key.of(QUEUE.name(), id);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T wait(RedisFuture<T> answer) throws Exception {
    return answer.get(5, TimeUnit.SECONDS);
  }

  /**
   * Measures how fast one caller learns that a job is a duplicate, and how many such calls it makes
   * per second.
   */
  private static void duplicates(Findings out, RedisJobs jobs) {
    List<Job> known =
        IntStream.range(0, KNOWN).mapToObj(i -> Job.of(key("known-" + i), "x")).toList();
    jobs.enqueue(known);
    int checks = out.pace().count(CHECKS);
    long[] nanos = new long[checks];
    for (int round = 0; round < 2; round++) { // the first round warms up the compiler
      for (int i = 0; i < checks; i++) {
        Job again = Job.of(known.get(i % KNOWN).key(), "x");
        long started = System.nanoTime();
        expectDuplicate(jobs.enqueue(again));
        nanos[i] = System.nanoTime() - started;
      }
    }
    Arrays.sort(nanos);
    String title = "jobs on redis, a duplicate is told, 1 caller, ";
    out.add(Figure.alone(title + "p50", nanos[checks / 2] / 1e6, "ms", 1));
    out.add(Figure.alone(title + "p99", nanos[checks / 100 * 99] / 1e6, "ms", Double.NaN));
    int batches = out.pace().count(BATCHES);
    long started = 0;
    for (int batch = -batches / 4; batch < batches; batch++) {
      if (batch == 0) {
        started = System.nanoTime();
      }
      int from = Math.floorMod(batch * BATCH, KNOWN);
      jobs.enqueue(
              known.subList(from, from + BATCH).stream()
                  .map(job -> Job.of(job.key(), "x"))
                  .toList())
          .forEach(JobsBenchmark::expectDuplicate);
    }
    double rate = (double) batches * BATCH * 1e9 / (System.nanoTime() - started);
    out.add(Figure.alone("jobs on redis, duplicates in batches of 100", rate, "/s", 100_000));
  }

  private static void expectDuplicate(EnqueueResult answer) {
    if (!(answer instanceof EnqueueResult.Duplicate)) {
      throw new IllegalStateException("a duplicate was not found");
    }
  }
}
