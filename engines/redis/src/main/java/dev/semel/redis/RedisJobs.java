package dev.semel.redis;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.ReservedJob;
import dev.semel.redis.internal.RedisLink;
import dev.semel.redis.internal.RedisLink.Call;
import dev.semel.redis.internal.jobs.JobCodec;
import dev.semel.redis.internal.jobs.JobIndex;
import dev.semel.redis.internal.jobs.JobLoad;
import dev.semel.redis.internal.jobs.JobRegistry;
import dev.semel.redis.internal.jobs.JobScript;
import dev.semel.redis.internal.jobs.JobShard;
import dev.semel.redis.internal.jobs.JobShare;
import dev.semel.redis.internal.jobs.RedisJobOperations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job queue on Redis or Redis Cluster, over a store's connections, for background work without a
 * database. Every step is one script on one shard of a queue, so on a cluster it touches one slot;
 * a call to several shards sends its scripts at once. Redis's clock decides.
 *
 * <p>Safe for many threads. A job is as durable as Redis is configured to be: see {@link
 * RedisStore}. After a crash of this process its leases expire; {@link #reap} then makes the jobs
 * available again.
 */
public final class RedisJobs implements JobQueue {
  /** The default numbers of shards per queue, on one Redis and on a cluster. */
  static final int SHARDS_OF_ONE = 1;

  static final int SHARDS_OF_CLUSTER = 16;

  /** How many jobs one script extends at most. */
  private static final int EXTENDED_AT_ONCE = 100;

  private static final int REAPED_AT_ONCE = 250;

  /** Another worker may take jobs that were seen as due; then this looks again. */
  private static final int MAX_LOOKS = 3;

  private final RedisStore store;
  private final RedisLink link;
  private final JobRegistry registry;
  private final int shards;

  private RedisJobs(RedisStore store, JobRegistry registry, int shards) {
    this.store = store;
    this.link = store.link();
    this.registry = registry;
    this.shards = shards;
  }

  /**
   * A job queue with the existing number of shards; for the first use one on a single Redis and 16
   * on a cluster.
   *
   * @param store stays open when this is closed
   * @throws StoreException Redis is unreachable
   */
  public static RedisJobs on(RedisStore store) {
    JobRegistry registry = new JobRegistry(store.link());
    int usual = store.isCluster() ? SHARDS_OF_CLUSTER : SHARDS_OF_ONE;
    return new RedisJobs(store, registry, registry.shards(usual));
  }

  /**
   * A job queue with this many shards per queue. More shards spread a queue over a cluster, but
   * make a search for due jobs ask more of them.
   *
   * @param store stays open when this is closed
   * @throws InvalidInput existing jobs use another number of shards
   * @throws StoreException Redis is unreachable
   */
  public static RedisJobs on(RedisStore store, int shards) {
    JobRegistry registry = new JobRegistry(store.link());
    return new RedisJobs(store, registry, registry.shardsExactly(shards));
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public List<EnqueueResult> enqueue(List<Job> jobs) {
    JobQueue.checkBatch(jobs.size());
    jobs.stream().map(Job::queue).distinct().forEach(registry::used);
    List<JobLoad> loads = JobLoad.of(jobs, shards);
    List<List<Object>> answers = link.confirmedLists(loads.stream().map(JobLoad::call).toList());
    EnqueueResult[] all = new EnqueueResult[jobs.size()];
    for (int i = 0; i < loads.size(); i++) {
      loads.get(i).place(answers.get(i), all);
    }
    return Arrays.asList(all);
  }

  private JobShard shard(Key key) {
    return JobShard.of(key, shards);
  }

  private static Call call(JobScript script, JobShard shard, byte[]... arguments) {
    return new Call(script, shard.base(), arguments);
  }

  @Override
  public List<ReservedJob> reserve(Operation queue, int max, Duration lease) {
    JobQueue.checkReserve(max, lease);
    if (shards == 1) {
      return taken(List.of(new JobShare(new JobShard(queue, 0), max, max, max, max)), lease);
    }
    for (int look = 0; look < MAX_LOOKS; look++) {
      List<JobShare> due = due(queue, max);
      List<ReservedJob> taken = due.isEmpty() ? List.of() : taken(due, lease);
      if (due.isEmpty() || !taken.isEmpty()) {
        return taken;
      }
    }
    return List.of();
  }

  /** The shards with the next due jobs: a queue has one order across its shards. */
  private List<JobShare> due(Operation queue, int max) {
    List<JobShard> all = JobShard.all(queue, shards);
    return JobShare.of(
        all, link.lists(all.stream().map(shard -> call(JobScript.READY, shard)).toList()), max);
  }

  private List<ReservedJob> taken(List<JobShare> shares, Duration lease) {
    byte[] micros = RedisLink.ascii(JobCodec.micros(lease));
    byte[] bytes = RedisLink.ascii(RedisJobOperations.MAX_BYTES_HANDED_OUT / shares.size());
    List<Call> calls = new ArrayList<>();
    for (JobShare share : shares) {
      calls.add(
          call(
              JobScript.RESERVE,
              share.shard(),
              JobCodec.token(Token.draw()),
              micros,
              RedisLink.ascii(share.all()),
              RedisLink.ascii(share.high()),
              RedisLink.ascii(share.normal()),
              RedisLink.ascii(share.low()),
              bytes));
    }
    List<List<Object>> answers = link.confirmedLists(calls);
    List<JobCodec.Read> taken = new ArrayList<>();
    for (int i = 0; i < shares.size(); i++) {
      List<Object> answer = answers.get(i);
      for (int at = 0; at < answer.size(); at += JobCodec.JOB_PARTS) {
        taken.add(JobCodec.read(shares.get(i).shard(), answer, at));
      }
    }
    if (shares.size() > 1) {
      taken.sort(JobCodec.NEXT);
    }
    return taken.stream().map(JobCodec.Read::reserved).toList();
  }

  @Override
  public List<ReservedJob> extend(List<ReservedJob> held, Duration lease) {
    byte[] micros = RedisLink.ascii(JobCodec.micros(lease));
    Map<JobShard, List<ReservedJob>> byShard = new LinkedHashMap<>();
    for (ReservedJob each : held) {
      byShard.computeIfAbsent(shard(each.job().key()), s -> new ArrayList<>()).add(each);
    }
    List<Call> calls = new ArrayList<>();
    List<List<ReservedJob>> parts = new ArrayList<>();
    byShard.forEach(
        (shard, all) -> {
          for (int from = 0; from < all.size(); from += EXTENDED_AT_ONCE) {
            List<ReservedJob> part =
                all.subList(from, Math.min(all.size(), from + EXTENDED_AT_ONCE));
            parts.add(part);
            calls.add(call(JobScript.EXTEND, shard, extension(micros, part)));
          }
        });
    List<List<Object>> answers = link.confirmedLists(calls);
    List<ReservedJob> lost = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      for (int j = 0; j < parts.get(i).size(); j++) {
        if ((Long) answers.get(i).get(j) == 0) {
          lost.add(parts.get(i).get(j));
        }
      }
    }
    return lost;
  }

  private static byte[][] extension(byte[] lease, List<ReservedJob> held) {
    byte[][] arguments = new byte[1 + 2 * held.size()][];
    arguments[0] = lease;
    for (int i = 0; i < held.size(); i++) {
      arguments[1 + 2 * i] = JobShard.member(held.get(i).job().key());
      arguments[2 + 2 * i] = JobCodec.token(held.get(i).token());
    }
    return arguments;
  }

  /** Runs a worker's step on its job; the job and its token are the first arguments. */
  private boolean say(JobScript script, ReservedJob held, byte[]... more) {
    Key key = held.job().key();
    byte[][] arguments = new byte[2 + more.length][];
    arguments[0] = JobShard.member(key);
    arguments[1] = JobCodec.token(held.token());
    System.arraycopy(more, 0, arguments, 2, more.length);
    return link.confirmedNumber(call(script, shard(key), arguments)) == 1;
  }

  @Override
  public boolean complete(ReservedJob held) {
    return say(JobScript.COMPLETE, held, millis(held.job().retention()));
  }

  @Override
  public boolean retry(ReservedJob held, Duration pause, String error) {
    return say(JobScript.AGAIN, held, priority(held), pause(pause), text(error));
  }

  @Override
  public boolean giveBack(ReservedJob held, Duration pause) {
    return say(JobScript.AGAIN, held, priority(held), pause(pause));
  }

  @Override
  public boolean bury(ReservedJob held, DeadLetterReason why, String error) {
    Duration retention = why == DeadLetterReason.FINAL ? held.job().retention() : DEAD_RETENTION;
    JobIndex index = why == DeadLetterReason.IN_DOUBT ? JobIndex.IN_DOUBT : JobIndex.FAILED;
    String code =
        switch (why) {
          case GAVE_UP -> "G";
          case FINAL -> "F";
          case IN_DOUBT -> "D";
        };
    return say(
        JobScript.BURY,
        held,
        millis(retention),
        RedisLink.ascii(code),
        RedisLink.ascii(index.suffix()),
        text(error));
  }

  private static byte[] millis(Duration retention) {
    return RedisLink.ascii(JobCodec.retentionMillis(retention));
  }

  private static byte[] priority(ReservedJob held) {
    return new byte[] {JobCodec.priority(held.job().priority())};
  }

  private static byte[] pause(Duration pause) {
    return RedisLink.ascii(JobCodec.micros(pause));
  }

  private static byte[] text(String error) {
    return JobQueue.cut(error).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public List<Key> reap(Operation queue) {
    List<JobShard> all = JobShard.all(queue, shards);
    byte[] limit = RedisLink.ascii(REAPED_AT_ONCE);
    List<List<Object>> answers =
        link.confirmedLists(all.stream().map(shard -> call(JobScript.REAP, shard, limit)).toList());
    List<Key> lost = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (Object member : answers.get(i)) {
        lost.add(all.get(i).key((byte[]) member));
      }
    }
    return lost;
  }

  @Override
  public JobOperations operations() {
    return new RedisJobOperations(link, registry, shards);
  }

  @Override
  public List<String> hazards() {
    return store.hazards();
  }

  /** Does nothing: the store stays open. */
  @Override
  public void close() {}
}
