package dev.semel.jdbc;

import static org.awaitility.Awaitility.await;

import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.jdbc.internal.inbox.ServerInbox;
import dev.semel.jdbc.internal.outbox.PostgresNotifier;
import dev.semel.jdbc.internal.store.PostgresDialect;
import dev.semel.jdbc.internal.store.PostgresFaults;
import dev.semel.jdbc.internal.store.SqlSessions;
import dev.semel.tck.Broken;
import dev.semel.tck.LoopWatch;
import java.time.Duration;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every background loop on an unreachable database reports a line, an event and a count. */
final class JdbcLoopsTest {
  private static final Duration OFTEN = Duration.ofMillis(100);
  private static final SqlSessions SESSIONS =
      new SqlSessions(Broken.of(DataSource.class), new PostgresFaults());
  private static final InboxEngine INBOX = ServerInbox.postgres(SESSIONS, new PostgresDialect());

  record Case(String loop, Started started) {
    @Override
    public String toString() {
      return loop;
    }
  }

  /** Starts a loop. */
  interface Started {
    AutoCloseable start();
  }

  static Stream<Case> loops() {
    return Stream.of(
        new Case(
            "semel-inbox-broken",
            () ->
                new InboxWorker(
                        INBOX,
                        "broken",
                        (connection, message) -> {},
                        InboxWorkerSettings.defaults())
                    .start()),
        new Case(
            "semel-inbox-partitions",
            () ->
                new InboxPartitions(INBOX, InboxPartitionSettings.keeping(Duration.ofDays(10)), 0)
                    .start(OFTEN, e -> {})),
        new Case("semel-outbox-bell", () -> PostgresNotifier.listen(SESSIONS, () -> {})));
  }

  @ParameterizedTest
  @MethodSource("loops")
  @SuppressWarnings("try") // a loop works while it is open
  void aFailureIsLoggedCountedAndAnEvent(Case tried) throws Exception {
    LoopWatch watch = LoopWatch.of(tried.loop);
    try (AutoCloseable loop = tried.started.start()) {
      await().untilAsserted(watch::assertTold);
    }
  }
}
