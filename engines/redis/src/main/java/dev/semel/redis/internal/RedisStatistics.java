package dev.semel.redis.internal;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Tenant;
import dev.semel.idempotency.internal.StatisticsCollector;
import dev.semel.idempotency.spi.DecisionCounter;
import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.DuplicateAge;
import dev.semel.idempotency.spi.StatisticsStore;
import io.lettuce.core.RedisFuture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Statistics: the totals in one hash and each minute in another, with fields {@code
 * tenant/operation/counter}; names can't contain a slash. One script adds a whole batch, exactly
 * once: a key stores the number of each writer's last batch. That key expires after a day, and the
 * minutes' hashes expire too.
 */
public final class RedisStatistics implements StatisticsStore {
  static final byte[] TOTALS = RedisLink.ascii("semel:{semel}:statistics");

  /** Beyond this limit, counts of new scopes go to {@code other/other}. */
  static final int MAX_FIELDS =
      StatisticsCollector.MAX_SCOPES
          * (DecisionCounter.values().length + DuplicateAge.values().length);

  /** How often a minute may end before the batch arrives. */
  private static final int MAX_ROUNDS = 8;

  private static final long MINUTE_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final Scope OTHER = new Scope(new Tenant("other"), new Operation("other"));

  private final RedisLink link;

  /** How far Redis's clock is ahead of ours, as far as known. */
  private volatile long aheadMillis;

  public RedisStatistics(RedisLink link) {
    this.link = link;
  }

  private static byte[] minute(long minute) {
    return RedisLink.ascii("semel:{semel}:statistics:" + minute);
  }

  private static byte[] writer(String writer) {
    return RedisLink.ascii("semel:{semel}:statistics:writer:" + writer);
  }

  /**
   * A script must name its keys in advance, but only Redis knows the current minute. So the call
   * sends an assumed minute, and Redis answers the time if it is another one.
   */
  @Override
  public void add(Batch batch) {
    List<byte[]> counters = new ArrayList<>();
    batch
        .deltas()
        .forEach(
            (scope, counts) ->
                counts
                    .fields()
                    .forEach(
                        (counter, delta) -> {
                          counters.add(field(scope, counter));
                          counters.add(field(OTHER, counter));
                          counters.add(RedisLink.ascii(delta));
                        }));
    if (counters.isEmpty()) {
      return;
    }
    for (int round = 0; round < MAX_ROUNDS; round++) {
      long minute = (System.currentTimeMillis() + aheadMillis) / MINUTE_MILLIS;
      List<byte[]> arguments = new ArrayList<>();
      arguments.add(RedisLink.ascii(minute));
      arguments.add(RedisLink.ascii(MAX_FIELDS));
      arguments.add(RedisLink.ascii(TREND.plusMinutes(2).toSeconds()));
      arguments.add(RedisLink.ascii(batch.number()));
      arguments.add(RedisLink.ascii(NUMBERS_KEPT.toSeconds()));
      arguments.addAll(counters);
      Long other =
          link.number(
              RecordScript.COUNT,
              new byte[][] {TOTALS, minute(minute), writer(batch.writer())},
              arguments.toArray(byte[][]::new));
      if (other == null || other == 0) {
        return;
      }
      aheadMillis = other - System.currentTimeMillis();
    }
    throw new StoreException(
        "the clock of %s moved on %d times while counts were added: look after its clock"
            .formatted(link.server(), MAX_ROUNDS));
  }

  private static byte[] field(Scope scope, String counter) {
    return RedisLink.ascii(scope.tenant() + "/" + scope.operation() + "/" + counter);
  }

  @Override
  public Map<Scope, DecisionCounts> read() {
    return counts(link.get(c -> c.hgetall(TOTALS)));
  }

  /** Skips fields of other versions or programs. */
  private static Map<Scope, DecisionCounts> counts(Map<byte[], byte[]> hash) {
    Map<Scope, Map<String, Long>> fields = new HashMap<>();
    hash.forEach(
        (field, value) -> {
          String[] parts = text(field).split("/", -1);
          if (parts.length == 3) {
            try {
              fields
                  .computeIfAbsent(
                      new Scope(new Tenant(parts[0]), new Operation(parts[1])),
                      s -> new HashMap<>())
                  .put(parts[2], Long.parseLong(text(value)));
            } catch (InvalidInput | NumberFormatException e) {
              return;
            }
          }
        });
    Map<Scope, DecisionCounts> counts = new HashMap<>();
    fields.forEach((scope, values) -> counts.put(scope, DecisionCounts.ofFields(values)));
    counts.values().removeIf(DecisionCounts.ZERO::equals);
    return counts;
  }

  @Override
  public List<Slice> trend(Duration step, Duration back) {
    long now = minuteNow();
    List<Long> minutes = LongStream.rangeClosed(now - back.toMinutes(), now).boxed().toList();
    List<RedisFuture<Map<byte[], byte[]>>> sent =
        minutes.stream().map(m -> link.send(c -> c.hgetall(minute(m)))).toList();
    TreeMap<Instant, Map<Scope, DecisionCounts>> slices = new TreeMap<>();
    for (int i = 0; i < sent.size(); i++) {
      Map<byte[], byte[]> hash = link.await(sent.get(i));
      if (hash != null && !hash.isEmpty()) {
        long start = minutes.get(i) / step.toMinutes() * step.toMinutes();
        Map<Scope, DecisionCounts> slice =
            slices.computeIfAbsent(
                Instant.ofEpochSecond(Duration.ofMinutes(start).toSeconds()), s -> new HashMap<>());
        counts(hash).forEach((scope, counts) -> slice.merge(scope, counts, DecisionCounts::plus));
      }
    }
    return slices.entrySet().stream().map(e -> new Slice(e.getKey(), e.getValue())).toList();
  }

  private long minuteNow() {
    return link.now().toEpochMilli() / MINUTE_MILLIS;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Deletes all in one command, including a minute that may begin meanwhile. */
  @Override
  public void reset() {
    List<byte[]> names = new ArrayList<>(List.of(TOTALS));
    long now = minuteNow();
    LongStream.rangeClosed(now - TREND.toMinutes(), now + 1).forEach(m -> names.add(minute(m)));
    link.get(c -> c.unlink(names.toArray(byte[][]::new)));
  }
}
