package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.internal.Ids;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations.Entry;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.loop.internal.Loop;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A step took effect, but the connection broke before its answer, and the client repeats it. */
@Tag("service")
@ExtendWith(SharedServices.class)
class RedisJobsLostAnswerTest {
  private static final Duration LEASE = Duration.ofMinutes(10);

  private final String queue = "q" + Ids.uuid7();
  private final Key key = Key.of(queue, "a");
  private ForgetfulProxy proxy;
  private RedisClient client;
  private RedisJobs jobs;
  private RedisJobsUnderTest direct;

  @BeforeEach
  void open(RedisService redis) throws IOException {
    proxy = new ForgetfulProxy(redis.port());
    client = RedisClient.create(proxy.url());
    jobs = RedisJobs.on(RedisStore.over(client.connect(ByteArrayCodec.INSTANCE)));
    direct = RedisJobsUnderTest.on(redis);
    warmUp();
  }

  @AfterEach
  void close() {
    client.shutdown();
    direct.close();
    proxy.close();
  }

  /** Loads the scripts and creates the queue first, because both cost one more round trip. */
  private void warmUp() {
    Key other = Key.of(queue, "warm");
    jobs.enqueue(Job.of(other, "x"));
    jobs.retry(reserved(), Duration.ZERO, "no");
    jobs.bury(reserved(), DeadLetterReason.GAVE_UP, "no");
    jobs.enqueue(Job.of(other, "x"));
    jobs.complete(reserved());
  }

  private ReservedJob reserved() {
    return jobs.reserve(key.operation(), 1, LEASE).getFirst();
  }

  private <T> T losingTheAnswer(Supplier<T> step, Runnable meanwhile) throws InterruptedException {
    proxy.loseAnswer(1);
    CompletableFuture<T> result = new CompletableFuture<>();
    Loop.beside("step", () -> result.completeAsync(step, Runnable::run));
    proxy.awaitLoss();
    meanwhile.run();
    proxy.letThrough();
    return result.join();
  }

  private Entry found() {
    return direct.jobs().operations().find(key).orElseThrow();
  }

  private void assertState(JobState state) {
    assertThat(found().state()).isEqualTo(state);
  }

  @Test
  void jobIsAddedOnceAndToldSo() throws InterruptedException {
    Job job = Job.of(key, "x");
    assertThat(losingTheAnswer(() -> jobs.enqueue(job), () -> assertState(JobState.PENDING)))
        .isEqualTo(new EnqueueResult.Added());
    assertThat(direct.jobs().reserve(key.operation(), 10, LEASE)).hasSize(1);
  }

  @Test
  void jobThatIsDoneMeanwhileIsNotAddedAgain() throws InterruptedException {
    Job job = Job.of(key, "x");
    EnqueueResult answer =
        losingTheAnswer(
            () -> jobs.enqueue(job),
            () ->
                direct
                    .jobs()
                    .complete(direct.jobs().reserve(key.operation(), 1, LEASE).getFirst()));
    assertThat(answer).isEqualTo(new EnqueueResult.Added());
    assertState(JobState.COMPLETED);
  }

  @Test
  void completionIsStillTrue() throws InterruptedException {
    jobs.enqueue(Job.of(key, "x"));
    ReservedJob held = reserved();
    assertThat(losingTheAnswer(() -> jobs.complete(held), () -> assertState(JobState.COMPLETED)))
        .isTrue();
    assertState(JobState.COMPLETED);
  }

  @Test
  void retryCountsOnce() throws InterruptedException {
    jobs.enqueue(Job.of(key, "x"));
    ReservedJob held = reserved();
    assertThat(
            losingTheAnswer(
                () -> jobs.retry(held, Duration.ZERO, "no"), () -> assertState(JobState.PENDING)))
        .isTrue();
    assertThat(reserved().attempt()).isEqualTo(2);
  }

  @Test
  void retryLeavesTheNextHolderAlone() throws InterruptedException {
    jobs.enqueue(Job.of(key, "x"));
    ReservedJob held = reserved();
    losingTheAnswer(
        () -> jobs.retry(held, Duration.ZERO, "no"),
        () -> assertThat(direct.jobs().reserve(key.operation(), 1, LEASE)).hasSize(1));
    assertState(JobState.PROCESSING);
  }
}
