package dev.semel.redis.internal.jobs;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobQueue;
import dev.semel.redis.internal.RedisLink;
import dev.semel.redis.internal.RedisLink.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The operators' view and actions: reads walk the shards' sorted sets, changes run scripts. */
public final class RedisJobOperations implements JobOperations {
  /** One reservation stops after this many bytes. */
  public static final int MAX_BYTES_HANDED_OUT = 16 << 20;

  /** How many jobs one script changes, because Redis serves nobody else meanwhile. */
  private static final int CHANGED_AT_ONCE = 250;

  /** How many queues are counted with one round trip. */
  private static final int COUNTED_AT_ONCE = 64;

  private static final List<JobIndex> DEAD = List.of(JobIndex.FAILED, JobIndex.IN_DOUBT);

  private static final List<JobIndex> NOT_TAKEN =
      Arrays.stream(JobIndex.values()).filter(kind -> kind != JobIndex.LEASED).toList();

  private final RedisLink link;
  private final JobRegistry registry;
  private final int shards;

  public RedisJobOperations(RedisLink link, JobRegistry registry, int shards) {
    this.link = link;
    this.registry = registry;
    this.shards = shards;
  }

  @Override
  public SortedMap<Operation, Counts> counts() {
    SortedMap<Operation, Counts> all = new TreeMap<>(Comparator.comparing(Operation::name));
    List<Operation> empty = new ArrayList<>();
    List<Operation> queues = registry.queues();
    for (int from = 0; from < queues.size(); from += COUNTED_AT_ONCE) {
      List<Operation> some = queues.subList(from, Math.min(queues.size(), from + COUNTED_AT_ONCE));
      List<List<Object>> answers =
          link.lists(
              some.stream()
                  .flatMap(queue -> JobShard.all(queue, shards).stream())
                  .map(shard -> new Call(JobScript.COUNT, shard.base()))
                  .toList());
      for (int i = 0; i < some.size(); i++) {
        List<List<Object>> parts = answers.subList(i * shards, (i + 1) * shards);
        Counts counts = counts(parts);
        if (counts.pending() + counts.processing() + counts.completed() + counts.dead() > 0) {
          all.put(some.get(i), counts);
        } else {
          empty.add(some.get(i));
        }
      }
    }
    registry.forgetUnused(empty);
    return all;
  }

  private static Counts counts(List<List<Object>> parts) {
    long[] sums = new long[6];
    long oldest = -1;
    for (List<Object> part : parts) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += (Long) part.get(i);
      }
      oldest = Math.max(oldest, (Long) part.get(sums.length));
    }
    Optional<Duration> waits =
        oldest < 0 ? Optional.empty() : Optional.of(JobCodec.duration(oldest));
    return new Counts(sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], waits);
  }

  @Override
  public Page list(Filter filter, String cursor, int limit) {
    JobOperations.checkPage(limit);
    if (filter.key().isPresent()) {
      if (!cursor.isEmpty()) {
        throw new InvalidInput("this is no cursor of this listing: begin without one");
      }
      Key key = filter.key().get();
      return new Page(find(key).filter(e -> filter.takes(key, e.state())).stream().toList(), "");
    }
    JobWalk walk = walk(filter, chosen(filter, List.of(JobIndex.values())));
    List<Entry> entries = new ArrayList<>();
    String next = cursor;
    do {
      JobWalk.Step step = walk.step(next, limit - entries.size());
      // A job that changed its state meanwhile is listed there.
      read(step.shard(), step.members()).stream()
          .filter(entry -> entry.state() == step.kind().state())
          .forEach(entries::add);
      next = step.next();
    } while (!next.isEmpty() && entries.size() < limit);
    return new Page(entries, next);
  }

  private JobWalk walk(Filter filter, List<JobIndex> kinds) {
    return new JobWalk(link, filter.queue(), shards, kinds);
  }

  private static List<JobIndex> chosen(Filter filter, List<JobIndex> kinds) {
    return kinds.stream()
        .filter(kind -> filter.states().isEmpty() || filter.states().contains(kind.state()))
        .toList();
  }

  private List<Entry> read(JobShard shard, List<byte[]> members) {
    if (members.isEmpty()) {
      return List.of();
    }
    List<Object> answer =
        link.lists(List.of(new Call(JobScript.READ, shard.base(), members.toArray(byte[][]::new))))
            .getFirst();
    List<Entry> entries = new ArrayList<>();
    for (int at = 0; at < answer.size(); at += JobCodec.ENTRY_PARTS) {
      entries.add(JobCodec.entry(shard, answer, at));
    }
    return entries;
  }

  @Override
  public Optional<Entry> find(Key key) {
    return read(JobShard.of(key, shards), List.of(JobShard.member(key))).stream().findFirst();
  }

  @Override
  public Optional<Job> read(Key key) {
    JobShard shard = JobShard.of(key, shards);
    List<Object> answer =
        link.lists(List.of(new Call(JobScript.WHOLE, shard.base(), JobShard.member(key))))
            .getFirst();
    return answer.isEmpty() ? Optional.empty() : Optional.of(JobCodec.read(shard, answer, 0).job());
  }

  @Override
  public List<Job> peek(Operation queue, int max) {
    JobQueue.checkBatch(max);
    if (max < 1) {
      return List.of();
    }
    byte[] most = RedisLink.ascii(max);
    byte[] bytes = RedisLink.ascii(MAX_BYTES_HANDED_OUT / shards);
    List<JobShard> all = JobShard.all(queue, shards);
    List<List<Object>> answers =
        link.lists(
            all.stream()
                .map(shard -> new Call(JobScript.PEEK, shard.base(), most, bytes))
                .toList());
    List<JobCodec.Read> seen = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      for (int at = 0; at < answers.get(i).size(); at += JobCodec.JOB_PARTS) {
        seen.add(JobCodec.read(all.get(i), answers.get(i), at));
      }
    }
    return seen.stream().sorted(JobCodec.NEXT).limit(max).map(JobCodec.Read::job).toList();
  }

  @Override
  public List<Key> requeue(Filter filter) {
    List<Key> went = new ArrayList<>();
    change(
        filter,
        DEAD,
        (shard, arguments) -> {
          Call call = new Call(JobScript.REQUEUE, shard.base(), arguments);
          for (Object member : link.confirmedLists(List.of(call)).getFirst()) {
            went.add(shard.key((byte[]) member));
          }
        });
    return went;
  }

  @Override
  public long purge(Filter filter) {
    long[] gone = {0};
    change(
        filter,
        NOT_TAKEN,
        (shard, arguments) ->
            gone[0] += link.confirmedNumber(new Call(JobScript.PURGE, shard.base(), arguments)));
    return gone[0];
  }

  /** A script that changes a shard's jobs: takes the codes of the selected states, then members. */
  private interface Change {
    void on(JobShard shard, byte[][] arguments);
  }

  private void change(Filter filter, List<JobIndex> kinds, Change change) {
    List<JobIndex> chosen = chosen(filter, kinds);
    if (chosen.isEmpty()) {
      return;
    }
    if (filter.key().isPresent()) {
      Key key = filter.key().get();
      String codes = chosen.stream().map(JobIndex::codes).distinct().collect(Collectors.joining());
      change.on(JobShard.of(key, shards), arguments(codes, List.of(JobShard.member(key))));
      return;
    }
    JobWalk walk = walk(filter, chosen);
    String next = "";
    do {
      JobWalk.Step step = walk.step(next, CHANGED_AT_ONCE);
      if (!step.members().isEmpty()) {
        change.on(step.shard(), arguments(step.kind().codes(), step.members()));
      }
      next = step.next();
    } while (!next.isEmpty());
  }

  private static byte[][] arguments(String codes, List<byte[]> members) {
    byte[][] arguments = new byte[members.size() + 1][];
    arguments[0] = RedisLink.ascii(codes);
    for (int i = 0; i < members.size(); i++) {
      arguments[i + 1] = members.get(i);
    }
    return arguments;
  }
}
