package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.internal.Ids;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations.Filter;
import dev.semel.job.spi.ReservedJob;
import dev.semel.redis.internal.ServerInfo;
import dev.semel.redis.internal.jobs.JobIndex;
import dev.semel.redis.internal.jobs.JobShard;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Details of Redis alone: names, shards, memory, leftovers. */
@Tag("service")
@ExtendWith(SharedServices.class)
class RedisJobsTest {
  private static final Duration LEASE = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final int WARM_UP = 200;
  private static final int JOBS = 10_000;
  private static final int MAX_BYTES_PER_JOB = 500;

  private final Operation queue = new Operation("q" + Ids.uuid7());

  private Job job(String id) {
    return Job.of(Key.of(queue.name(), id), "");
  }

  private List<Job> jobs(int count) {
    return IntStream.range(0, count).mapToObj(i -> job("j" + i)).toList();
  }

  @Test
  void numberOfShardsIsRememberedAndAnotherIsRefused() {
    try (RedisService own = RedisService.start("--appendonly", "no");
        RedisStore store = RedisStore.open(own.url())) {
      RedisJobs.on(store, 3).enqueue(jobs(20));
      assertThatThrownBy(() -> RedisJobs.on(store, 4))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("3 shards a queue, not 4");
      assertThat(RedisJobs.on(store, 3).reserve(queue, 20, LEASE)).hasSize(20);
      // Without a number the existing one applies.
      assertThat(RedisJobs.on(store).enqueue(jobs(20)))
          .allMatch(EnqueueResult.Duplicate.class::isInstance);
      assertThatThrownBy(() -> RedisJobs.on(store, 0)).isInstanceOf(InvalidInput.class);
    }
  }

  @Test
  void jobsSpreadOverTheCluster(RedisClusterService redis) {
    try (RedisJobsUnderTest cluster = RedisJobsUnderTest.on(redis)) {
      cluster.jobs().enqueue(jobs(200));
      long used =
          JobShard.all(queue, RedisJobs.SHARDS_OF_CLUSTER).stream()
              .filter(shard -> count(cluster, shard, JobIndex.NORMAL) > 0)
              .count();
      assertThat(used).isEqualTo(RedisJobs.SHARDS_OF_CLUSTER);
      List<ReservedJob> reserved = cluster.jobs().reserve(queue, 150, LEASE);
      assertThat(reserved).hasSize(150);
      assertThat(reserved).extracting(ReservedJob::token).doesNotHaveDuplicates();
      assertThat(cluster.jobs().extend(reserved, LEASE)).isEmpty();
      assertThat(cluster.jobs().reserve(queue, 150, LEASE)).hasSize(50);
    }
  }

  private static long count(RedisJobsUnderTest jobs, JobShard shard, JobIndex index) {
    return jobs.store().link().get(c -> c.zcard(shard.index(index)));
  }

  @Test
  void reapingLeavesNothingOfWhatIsOver(RedisService redis) {
    RedisClient client = RedisClient.create(redis.url());
    try (RedisJobsUnderTest on = RedisJobsUnderTest.on(redis)) {
      RedisCommands<String, String> commands = client.connect().sync();
      on.jobs().enqueue(jobs(3).stream().map(job -> job.withRetention(SHORT)).toList());
      for (ReservedJob each : on.jobs().reserve(queue, 2, LEASE)) {
        on.jobs().complete(each);
      }
      on.jobs().bury(on.jobs().reserve(queue, 1, LEASE).getFirst(), DeadLetterReason.FINAL, "no");
      on.elapse(SHORT);
      assertThat(on.jobs().operations().list(Filter.of(queue), "", 10).entries()).isEmpty();
      assertThat(on.jobs().operations().counts()).doesNotContainKey(queue);
      on.jobs().reap(queue);
      assertThat(commands.keys("*" + queue.name() + "*")).isEmpty();
    } finally {
      client.shutdown();
    }
  }

  @Test
  void everythingOfAJobIsUnderTheTagOfItsShard(RedisService redis) {
    RedisClient client = RedisClient.create(redis.url());
    try (RedisJobsUnderTest on = RedisJobsUnderTest.on(redis)) {
      on.jobs().enqueue(jobs(3));
      on.jobs().reserve(queue, 1, LEASE);
      assertThat(client.connect().sync().keys("*" + queue.name() + "*"))
          .hasSize(5)
          .allMatch(name -> name.startsWith("semel:j:{" + queue.name() + ":0}"));
    } finally {
      client.shutdown();
    }
  }

  @Test
  void pagesOfMoreThanOneScript(RedisService redis) {
    try (RedisJobsUnderTest on = RedisJobsUnderTest.on(redis)) {
      on.jobs().enqueue(jobs(1000));
      List<Key> seen = new ArrayList<>();
      String cursor = "";
      do {
        var page = on.jobs().operations().list(Filter.of(queue), cursor, 7);
        page.entries().forEach(entry -> seen.add(entry.key()));
        cursor = page.cursor();
      } while (!cursor.isEmpty());
      assertThat(seen).hasSize(1000).doesNotHaveDuplicates();
      assertThatThrownBy(() -> on.jobs().operations().list(Filter.of(queue), "j.99.0.", 7))
          .isInstanceOf(InvalidInput.class);
      assertThat(on.jobs().operations().purge(Filter.of(queue))).isEqualTo(1000);
    }
  }

  /** Jobs keep the order of the call, although all arrive within a few microseconds. */
  @Test
  void orderOfOneCallIsKept(RedisService redis) {
    try (RedisJobsUnderTest on = RedisJobsUnderTest.on(redis)) {
      List<Job> all = jobs(250);
      on.jobs().enqueue(all);
      assertThat(on.jobs().reserve(queue, 250, LEASE))
          .extracting(each -> each.job().id())
          .containsExactlyElementsOf(all.stream().map(Job::id).toList());
    }
  }

  @Test
  void pendingJobWithoutPayloadIsSmall() {
    try (RedisService own = RedisService.start("--appendonly", "no");
        RedisJobsUnderTest on = RedisJobsUnderTest.on(own)) {
      enqueueNew(on, WARM_UP);
      long before = usedMemory(on);
      enqueueNew(on, JOBS);
      double perJob = (double) (usedMemory(on) - before) / JOBS;
      System.out.printf("bytes per pending job: %.1f%n", perJob);
      assertThat(perJob).isLessThanOrEqualTo(MAX_BYTES_PER_JOB);
    }
  }

  private static void enqueueNew(RedisJobsUnderTest on, int count) {
    for (int from = 0; from < count; from += 100) {
      on.jobs()
          .enqueue(
              IntStream.range(0, 100)
                  .mapToObj(i -> Job.of(Key.of("payments", Ids.uuid7().toString()), ""))
                  .toList());
    }
  }

  private static long usedMemory(RedisJobsUnderTest on) {
    return Long.parseLong(
        ServerInfo.parse(on.store().link().get(c -> c.info("memory"))).field("used_memory"));
  }
}
