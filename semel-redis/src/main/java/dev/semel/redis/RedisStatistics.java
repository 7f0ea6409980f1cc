package dev.semel.redis;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.Tenant;
import dev.semel.idempotency.Counter;
import dev.semel.idempotency.Counts;
import dev.semel.idempotency.Statistics;
import dev.semel.idempotency.StatisticsStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All counts in one hash, with a field {@code tenant/operation/counter} each; neither name can hold
 * a slash. A flush is one script, so that it is added as a whole or not at all.
 */
final class RedisStatistics implements StatisticsStore {
  static final byte[] NAME = RedisLink.ascii("semel:statistics");

  /** Beyond it, counts of scopes not seen before go to {@code other/other}. */
  static final int MAX_FIELDS = Statistics.MAX_SCOPES * Counter.values().length;

  private static final Scope OTHER = new Scope(new Tenant("other"), new Operation("other"));

  private final RedisLink link;

  RedisStatistics(RedisLink link) {
    this.link = link;
  }

  @Override
  public void add(Map<Scope, Counts> deltas) {
    List<byte[]> arguments = new ArrayList<>();
    arguments.add(RedisLink.ascii(MAX_FIELDS));
    deltas.forEach(
        (scope, counts) ->
            counts
                .values()
                .forEach(
                    (counter, delta) -> {
                      arguments.add(RedisLink.ascii(field(scope, counter)));
                      arguments.add(RedisLink.ascii(field(OTHER, counter)));
                      arguments.add(RedisLink.ascii(delta));
                    }));
    if (arguments.size() > 1) {
      link.execute(Script.COUNT, NAME, arguments.toArray(byte[][]::new));
    }
  }

  private static String field(Scope scope, Counter counter) {
    return scope.tenant() + "/" + scope.operation() + "/" + counter.field();
  }

  @Override
  public Map<Scope, Counts> read() {
    Map<Scope, Counts> all = new HashMap<>();
    link.get(c -> c.hgetall(NAME)).forEach((field, value) -> merge(all, text(field), text(value)));
    return Map.copyOf(all);
  }

  /** Fields that another version or someone else wrote are not ours to show. */
  private static void merge(Map<Scope, Counts> all, String field, String value) {
    String[] parts = field.split("/", -1);
    if (parts.length != 3) {
      return;
    }
    Optional<Counter> counter =
        Arrays.stream(Counter.values()).filter(c -> c.field().equals(parts[2])).findFirst();
    try {
      Scope scope = new Scope(new Tenant(parts[0]), new Operation(parts[1]));
      long count = Long.parseLong(value);
      counter.ifPresent(c -> all.merge(scope, new Counts(Map.of(c, count)), Counts::plus));
    } catch (InvalidInput | NumberFormatException e) {
      return;
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void reset() {
    link.get(c -> c.unlink(NAME));
  }
}
