package dev.semel.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventSink;
import dev.semel.event.spi.EventStore;
import dev.semel.junit.proof.ProofRun;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.tck.Racers;
import dev.semel.testservices.MariaDbService;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * MariaDB's snapshots are not taken at one moment: among many writers, a statement sometimes sees a
 * transaction but not the one whose lock that had waited for. Readers of a log or a queue must
 * handle that.
 */
@Tag("proof")
final class MariaDbSnapshotsTest {
  private static final int WRITERS = 40;
  private static final int READERS = 4;
  private static final int TRANSACTIONS_EACH = ProofRun.volume(600, 10_000);

  /** Few, so that many writers wait for the same lock. */
  private static final int STREAMS = 2;

  private static final String LOCK = "UPDATE stream SET version = version + 1 WHERE name = ?";
  private static final String VERSION = "SELECT version FROM stream WHERE name = ?";

  private final MariaDbService mariadb =
      MariaDbService.start("--innodb-flush-log-at-trx-commit=0", "--max-connections=200");
  private final AtomicInteger writing = new AtomicInteger(WRITERS);
  private HikariDataSource pool;
  private MariaDbStore store;

  @BeforeEach
  void open(TestReporter report) {
    report.publishEntry("messages", "" + WRITERS * TRANSACTIONS_EACH);
    pool = new HikariDataSource();
    pool.setDataSource(mariadb.freshDatabase().dataSource());
    pool.setMaximumPoolSize(WRITERS + 3 * READERS);
    store = MariaDbStore.open(pool);
  }

  @AfterEach
  void close() {
    pool.close();
    mariadb.close();
  }

  @Test
  void whoeverFollowsTheLogSeesEveryLineOfIt() {
    List<List<EventLine>> seen = IntStream.range(0, READERS).mapToObj(i -> lines()).toList();
    Racers.onPlatformThreads(
        WRITERS + READERS,
        racer -> racer < WRITERS ? append(racer) : follow(seen.get(racer - WRITERS)));
    for (List<EventLine> each : seen) {
      assertThat(each).hasSize(WRITERS * TRANSACTIONS_EACH);
    }
  }

  private static List<EventLine> lines() {
    return new ArrayList<>();
  }

  private int append(int writer) {
    EventSink sink = new EventSink(store.events(), InstantSource.system(), event -> false);
    for (int i = 0; i < TRANSACTIONS_EACH; i++) {
      sink.on(new Event.Fenced(Key.of("payments", writer + "-" + i), "job", 2, "renew"));
      sink.flush();
    }
    return writing.decrementAndGet();
  }

  private int follow(List<EventLine> seen) {
    String cursor = "";
    boolean last;
    do {
      last = writing.get() == 0;
      EventStore.Page page = store.events().read(cursor, EventStore.MAX_PAGE);
      seen.addAll(page.lines());
      cursor = page.next();
    } while (!last);
    return 0;
  }

  @Test
  void messagesOfAKeyAreReadInTheOrderOfItsLocks() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stream (name varchar(9) PRIMARY KEY, version int NOT NULL)");
      statement.execute(
          "INSERT INTO stream SELECT concat('s', seq), 0 FROM seq_0_to_%d".formatted(STREAMS - 1));
    }
    List<String> disorder = new ArrayList<>();
    try (JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults())) {
      Racers.onPlatformThreads(
          WRITERS + 1,
          racer -> racer < WRITERS ? add(outbox, racer) : take(outbox.store(), disorder));
    }
    assertThat(disorder).isEmpty();
  }

  private int add(JdbcOutbox outbox, int writer) {
    try (Connection connection = pool.getConnection();
        PreparedStatement lock = connection.prepareStatement(LOCK);
        PreparedStatement read = connection.prepareStatement(VERSION)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS_EACH; i++) {
        String stream = "s" + (writer + i) % STREAMS;
        lock.setString(1, stream);
        lock.executeUpdate();
        read.setString(1, stream);
        try (ResultSet rs = read.executeQuery()) {
          rs.next();
          outbox.add(connection, Message.of("all", rs.getString(1)).withOrderingKey(stream));
        }
        connection.commit();
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return writing.decrementAndGet();
  }

  /** Reads as a relay does, and records each message that precedes an earlier one of its key. */
  private int take(OutboxStore queue, List<String> disorder) {
    List<ReadRange> slices =
        IntStream.range(0, STREAMS)
            .map(stream -> OutboxStore.partition("s" + stream))
            .distinct()
            .mapToObj(partition -> new ReadRange(partition, 0, Set.of(), Set.of()))
            .toList();
    Map<String, Integer> versions = new HashMap<>();
    List<OutboxEntry> batch = List.of();
    boolean last;
    do {
      last = writing.get() == 0;
      batch = queue.read(slices, 1000);
      for (OutboxEntry each : batch) {
        String stream = each.message().orderingKey();
        int version = Integer.parseInt(new String(each.message().payload(), UTF_8));
        if (version != versions.merge(stream, 1, Integer::sum)) {
          disorder.add(stream + "-" + version);
        }
      }
      queue.published(batch);
    } while (!last || !batch.isEmpty());
    return 0;
  }
}
