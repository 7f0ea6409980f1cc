package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Tenant;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobOperations.Filter;
import dev.semel.job.spi.JobQueue;
import dev.semel.job.spi.JobState;
import dev.semel.job.spi.ReservedJob;
import dev.semel.tck.jobs.JobOperationsContract;
import dev.semel.tck.jobs.JobsUnderTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What SQL queues promise beyond the contract: the caller's transaction, and large calls. */
@OnEachEngine
final class JdbcJobsTest extends JobOperationsContract {
  private final JobsFixture fixture;

  JdbcJobsTest(SqlUnderTest sql) {
    this.fixture = sql.jobs();
  }

  @Override
  protected JobsUnderTest underTest() {
    return fixture;
  }

  private Connection begin() throws SQLException {
    Connection connection = fixture.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private long rows() throws SQLException {
    return fixture.number("SELECT count(*) FROM semel_job WHERE queue = '" + queue.name() + "'");
  }

  @Test
  void rollbackLeavesNothing() throws SQLException {
    try (Connection connection = begin()) {
      assertThat(fixture.sqlJobs().enqueue(connection, job("a"), job("b")))
          .containsOnly(new EnqueueResult.Added());
      connection.rollback();
    }
    assertThat(rows()).isZero();
    assertNothingIsDue();
    add(job("a"));
  }

  @Test
  void commitsTogetherWithWhatElseWasWritten() throws SQLException {
    String table = "effect_" + queue.name().replace('-', '_');
    fixture.execute("CREATE TABLE " + table + " (what integer)");
    try (Connection connection = begin();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO " + table + " VALUES (1)");
      fixture.sqlJobs().enqueue(connection, job("a"));
      connection.commit();
    }
    assertThat(fixture.number("SELECT count(*) FROM " + table)).isOne();
    assertThat(ids(reserve(10))).containsExactly("a");
  }

  @Test
  void duplicateInTheCallersTransactionLeavesItUsable() throws SQLException {
    Job first = job("a");
    add(first);
    try (Connection connection = begin()) {
      List<EnqueueResult> answers =
          fixture.sqlJobs().enqueue(connection, job("b"), job("a"), first);
      assertThat(answers.get(0)).isInstanceOf(EnqueueResult.Added.class);
      assertThat(answers.get(1)).isInstanceOf(EnqueueResult.Duplicate.class);
      assertThat(answers.get(2)).isInstanceOf(EnqueueResult.Added.class);
      connection.commit();
    }
    assertThat(ids(reserve(10))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void connectionThatCommitsByItselfIsRefused() throws SQLException {
    try (Connection connection = fixture.connect()) {
      assertThatThrownBy(() -> fixture.sqlJobs().enqueue(connection, job("a")))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("setAutoCommit(false)");
    }
    assertThat(rows()).isZero();
  }

  @Test
  void largestCallGoesThroughAndKeepsItsOrder() {
    List<String> ids =
        IntStream.range(0, JobQueue.MAX_BATCH).mapToObj(i -> "j" + (7919 * i) % 1000).toList();
    add(ids.stream().map(this::job).toArray(Job[]::new));
    List<ReservedJob> reserved = reserve(JobQueue.MAX_BATCH);
    assertThat(ids(reserved)).containsExactlyElementsOf(ids);
    assertThat(jobs().extend(reserved, LONG)).isEmpty();
  }

  @Test
  void tenLargestPayloadsInOneCall() {
    add(
        IntStream.range(0, 10)
            .mapToObj(i -> Job.of(key("j" + i), new byte[Job.MAX_PAYLOAD_BYTES]))
            .toArray(Job[]::new));
    assertThat(reserve(10)).hasSize(10);
  }

  @Test
  void manyThatAskForTheSameInAnyOrderDoNotGetStuck() {
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, 50).boxed().toList());
    List<Long> added =
        Together.race(
            6,
            () -> {
              List<Integer> mine = new ArrayList<>(numbers);
              Collections.shuffle(mine);
              return jobs().enqueue(mine.stream().map(i -> job("j" + i)).toList()).stream()
                  .filter(EnqueueResult.Added.class::isInstance)
                  .count();
            });
    assertThat(added.stream().mapToLong(Long::longValue).sum()).isEqualTo(50);
    assertThat(reserve(100)).hasSize(50);
  }

  @Test
  void roomIsFilledByPriority() {
    add(
        job("l").withPriority(JobPriority.LOW),
        job("later").withPriority(JobPriority.HIGH).withDelay(LONG),
        job("h").withPriority(JobPriority.HIGH),
        job("n1"),
        job("n2"));
    assertThat(ids(reserve(2))).containsExactly("h", "n1");
    assertThat(ids(reserve(10))).containsExactly("n2", "l");
  }

  @Test
  void forgottenRowsLeaveTheTable() throws SQLException {
    add(job("short").withRetention(AMPLE), job("buried").withRetention(AMPLE), job("long"));
    for (ReservedJob each : reserve(3)) {
      if (each.job().key().id().equals("buried")) {
        jobs().bury(each, DeadLetterReason.FINAL, "no");
      } else {
        jobs().complete(each);
      }
    }
    jobs().reap(queue);
    assertThat(rows()).isEqualTo(3);
    underTest().elapse(AMPLE);
    assertThat(operations().find(key("short"))).isEmpty();
    assertThat(jobs().reap(queue)).isEmpty();
    assertThat(rows()).isOne();
    assertThat(operations().find(key("long")).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void listingGoesThroughTenants() {
    for (String tenant : List.of("b", "a", "c")) {
      for (int i = 0; i < 3; i++) {
        add(Job.of(new Key(new Tenant(tenant), queue, "j/" + i), "x"));
      }
    }
    List<Key> all = new ArrayList<>();
    String cursor = "";
    do {
      var page = operations().list(Filter.of(queue), cursor, 2);
      page.entries().forEach(entry -> all.add(entry.key()));
      cursor = page.cursor();
    } while (!cursor.isEmpty());
    assertThat(all).hasSize(9).doesNotHaveDuplicates();
    assertThatThrownBy(() -> operations().list(Filter.of(queue), "nonsense", 2))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void onlyWhoseLeaseEndedIsReaped() {
    add(job("a"), job("b"));
    List<ReservedJob> held = jobs().reserve(queue, 2, SHORT);
    underTest().elapse(SHORT);
    assertThat(jobs().extend(held.subList(0, 1), Duration.ofMinutes(1))).isEmpty();
    assertThat(jobs().reap(queue)).containsExactly(held.get(1).job().key());
  }

  /** A worker that reserves a row, or a caller that enqueues its duplicate, locks the row. */
  @Test
  void whatOthersHaveLockedKeepsNobodyWaiting() throws SQLException {
    assumeTrue(fixture.locksRows(), "one transaction writes at a time");
    add(job("locked"));
    add(job("free"));
    try (Connection other = begin();
        Statement statement = other.createStatement()) {
      statement.execute(
          "SELECT 1 FROM semel_job WHERE queue = '%s' AND tenant = 'default' AND id = 'locked' FOR UPDATE"
              .formatted(queue.name()));
      assertThat(Together.beside(() -> ids(reserve(10))).result()).containsExactly("free");
      other.rollback();
    }
    assertThat(ids(reserve(10))).containsExactly("locked");
  }
}
