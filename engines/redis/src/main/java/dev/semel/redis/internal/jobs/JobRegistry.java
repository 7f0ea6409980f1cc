package dev.semel.redis.internal.jobs;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.redis.internal.RedisLink;
import dev.semel.redis.internal.RedisLink.Call;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The number of shards per queue, and the list of queues. A queue registers again from time to time
 * while jobs arrive, so one that has not for long may be removed when it is empty.
 */
public final class JobRegistry {
  static final int MAX_SHARDS = 1024;
  static final int MAX_QUEUES = 10_000;

  private static final byte[] SHARDS = RedisLink.ascii("semel:{semel}:job-shards");
  private static final byte[] QUEUES = RedisLink.ascii("semel:{semel}:job-queues");
  private static final Duration SAID_FOR = Duration.ofMinutes(1);
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);

  private final RedisLink link;
  private final Map<Operation, Long> said = new ConcurrentHashMap<>();

  public JobRegistry(RedisLink link) {
    this.link = link;
  }

  /** The number of shards per queue: the first process decides. */
  public int shards(int wanted) {
    if (wanted < 1 || wanted > MAX_SHARDS) {
      throw new InvalidInput("a queue has 1 to %d shards, not %d".formatted(MAX_SHARDS, wanted));
    }
    long there = link.confirmedNumber(new Call(JobScript.SHARDS, SHARDS, RedisLink.ascii(wanted)));
    if (there < 1 || there > MAX_SHARDS) {
      throw new StoreException(
          "%s holds no number of shards under %s: something else wrote there, so give Semel a database of its own"
              .formatted(link.server(), new String(SHARDS, StandardCharsets.US_ASCII)));
    }
    return (int) there;
  }

  /** Requires this number of shards, and fails if existing jobs use another one. */
  public int shardsExactly(int wanted) {
    int there = shards(wanted);
    if (there != wanted) {
      throw new InvalidInput(
          "the jobs in %s are spread over %d shards a queue, not %d: a job's shard follows from that number, so duplicates would not be found; use %d, or let all jobs end, stop everyone and delete %s"
              .formatted(
                  link.server(),
                  there,
                  wanted,
                  there,
                  new String(SHARDS, StandardCharsets.US_ASCII)));
    }
    return there;
  }

  /** Registers a queue before a job is enqueued. */
  public void used(Operation queue) {
    Long before = said.get(queue);
    long now = System.nanoTime();
    if (before != null && now - before < SAID_FOR.toNanos()) {
      return;
    }
    long known =
        link.confirmedNumber(
            new Call(
                JobScript.REGISTER,
                QUEUES,
                RedisLink.ascii(queue.name()),
                RedisLink.ascii(MAX_QUEUES)));
    if (known == 0) {
      throw new InvalidInput(
          "there are %d queues, which is the limit: put jobs of many kinds into one queue"
              .formatted(MAX_QUEUES));
    }
    if (said.size() >= MAX_QUEUES) {
      said.clear();
    }
    said.put(queue, now);
  }

  List<Operation> queues() {
    List<Operation> all = new ArrayList<>();
    for (byte[] name : link.get(c -> c.zrange(QUEUES, 0, -1))) {
      all.add(new Operation(new String(name, StandardCharsets.UTF_8)));
    }
    return all;
  }

  /** Removes queues that were found empty if nothing has used them for long. */
  void forgetUnused(List<Operation> empty) {
    if (empty.isEmpty()) {
      return;
    }
    byte[][] arguments = new byte[empty.size() + 1][];
    arguments[0] = RedisLink.ascii(FORGOTTEN_AFTER.toSeconds());
    for (int i = 0; i < empty.size(); i++) {
      arguments[i + 1] = RedisLink.ascii(empty.get(i).name());
    }
    link.number(JobScript.UNREGISTER, new byte[][] {QUEUES}, arguments);
  }
}
