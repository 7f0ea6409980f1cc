package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.jdbc.CommitProxy.Fault;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A statement took effect and its answer got lost: a repeated call gets that answer. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class JobsLostAnswerTest {
  private static final Key KEY = Key.of("mail", "m1");
  private static final Operation QUEUE = KEY.operation();

  private TestDatabase database;

  @BeforeEach
  void freshDatabase(PostgresService postgres) {
    database = postgres.freshDatabase();
  }

  /** Uses queues whose connection loses the answer to a statement with this text. */
  @FunctionalInterface
  private interface Losing {
    void run(JdbcJobs jobs, CommitProxy proxy);
  }

  private void losing(String statement, Losing test) throws IOException {
    try (CommitProxy proxy = new CommitProxy(database.port(), statement);
        HikariDataSource pool =
            ServerUnderTest.pool(new TestDatabase(proxy.port(), database.name()).jdbcUrl(), 2);
        JdbcJobs jobs = JdbcJobs.on(PostgresStore.open(pool))) {
      test.run(jobs, proxy);
    }
  }

  private static ReservedJob reserve(JdbcJobs jobs) {
    List<ReservedJob> reserved = jobs.reserve(QUEUE, 10, Duration.ofMinutes(1));
    assertThat(reserved).hasSize(1);
    return reserved.getFirst();
  }

  @Test
  void jobIsAddedOnce() throws IOException {
    Job job = Job.of(KEY, "x");
    losing(
        "INSERT INTO semel_job",
        (jobs, proxy) -> {
          proxy.failNextCommit(Fault.LOSE_THE_ANSWER);
          assertThatThrownBy(() -> jobs.enqueue(job)).isInstanceOf(StoreException.class);
          assertThat(jobs.enqueue(job)).isInstanceOf(EnqueueResult.Added.class);
          assertThat(jobs.enqueue(Job.of(KEY, "x"))).isInstanceOf(EnqueueResult.Duplicate.class);
          assertThat(reserve(jobs).job().id()).isEqualTo(job.id());
        });
  }

  @Test
  void completionMayBeSaidAgain() throws IOException {
    losing(
        "SET state = 'C'",
        (jobs, proxy) -> {
          jobs.enqueue(Job.of(KEY, "x"));
          ReservedJob held = reserve(jobs);
          proxy.failNextCommit(Fault.LOSE_THE_ANSWER);
          assertThatThrownBy(() -> jobs.complete(held)).isInstanceOf(StoreException.class);
          assertThat(jobs.operations().find(KEY).orElseThrow().state())
              .isEqualTo(JobState.COMPLETED);
          assertThat(jobs.complete(held)).isTrue();
        });
  }

  /** The lease ends, as if the worker had died. */
  @Test
  void jobThatWasHandedOutToNobodyComesAgain() throws IOException {
    losing(
        CommitProxy.POSTGRES_COMMIT,
        (jobs, proxy) -> {
          jobs.enqueue(Job.of(KEY, "x"));
          proxy.failNextCommit(Fault.LOSE_THE_ANSWER);
          assertThatThrownBy(() -> jobs.reserve(QUEUE, 1, Duration.ofMillis(1)))
              .isInstanceOf(StoreException.class);
          Together.until(() -> jobs.reap(QUEUE).contains(KEY));
          ReservedJob again = reserve(jobs);
          assertThat(again.attempt()).isEqualTo(2);
          assertThat(again.lost()).isOne();
        });
  }
}
