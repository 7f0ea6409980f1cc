package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageRejected;
import dev.semel.inbox.MessageTooOld;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.inbox.spi.InboxOperations.State;
import dev.semel.internal.Ids;
import dev.semel.jdbc.InboxPartitions.Upkeep;
import dev.semel.jdbc.internal.inbox.HandlerCall;
import dev.semel.jdbc.internal.store.StatementCache;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Old ids are dropped with their partition, and messages from that time can't take effect again.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
@SuppressWarnings("NullAway.Init") // before each test
final class InboxPartitionsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final InboxPartitionSettings SETTINGS =
      InboxPartitionSettings.keeping(Duration.ofDays(10)).withAhead(3);
  private static final String CONSUMER = "ledger";

  private static TestDatabase database;
  private InboxFixture fixture;

  @BeforeAll
  static void create(PostgresService postgres) {
    database = postgres.freshDatabase();
  }

  @BeforeEach
  void open() throws SQLException {
    fixture = InboxFixture.onEmptied(database);
  }

  @AfterEach
  void close() throws SQLException {
    fixture.close();
  }

  private Upkeep maintain(Duration from) {
    return fixture.inbox().partitions(SETTINGS, from.toMillis()).maintain();
  }

  /** An id from another time. */
  private static String id(Duration from) {
    UUID now = Ids.uuid7();
    return new UUID(
            now.getMostSignificantBits() + (from.toMillis() << 16), now.getLeastSignificantBits())
        .toString();
  }

  private static Message message(String id) {
    return Message.of("orders", "{}").withId(id);
  }

  private ConsumerInbox consumerInbox() {
    return fixture
        .inbox()
        .consumerInbox(
            CONSUMER, (connection, message) -> InboxFixture.write(connection, message.id()));
  }

  private HandleResult take(String id) {
    return consumerInbox().take(List.of(message(id))).getFirst();
  }

  private String partition(String id) {
    List<String> names = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection();
        StatementCache db = new StatementCache(connection)) {
      names.addAll(
          db.all(
              "SELECT tableoid::regclass::text FROM semel_inbox WHERE id = ?",
              rs -> rs.getString(1),
              id));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return String.join(",", names);
  }

  private static void assertTooOld(HandleResult how) {
    assertThat(how)
        .isInstanceOfSatisfying(
            HandleResult.Failed.class,
            failed -> {
              assertThat(failed.forGood()).isTrue();
              assertThat(failed.reason())
                  .isInstanceOf(MessageTooOld.class)
                  .hasMessageContaining("send it with a new id");
            });
  }

  @Test
  void idsAreInThePartitionOfTheirTimeAndOthersInTheDefaultOne() {
    assertThat(maintain(Duration.ZERO).created()).isEqualTo(4);
    Upkeep again = maintain(Duration.ZERO);
    assertThat(again.created() + again.dropped()).as("nothing is left to do").isZero();
    String now = id(Duration.ZERO);
    String tomorrow = id(DAY);
    String later = id(DAY.multipliedBy(30));
    for (String each : List.of(now, tomorrow, later, "order-17", UUID.randomUUID().toString())) {
      assertThat(take(each)).isEqualTo(new HandleResult.Done());
      assertThat(take(each)).isEqualTo(new HandleResult.Duplicate());
    }
    assertThat(partition(now)).matches("semel_inbox_\\d{10}");
    assertThat(partition(tomorrow)).matches("semel_inbox_\\d{10}").isNotEqualTo(partition(now));
    assertThat(partition(later)).isEqualTo("semel_inbox_default");
    assertThat(partition("order-17")).isEqualTo("semel_inbox_default");
    assertThat(fixture.operations().status().bytes()).isPositive();
    assertThat(fixture.operations().diagnose()).isEmpty();
  }

  /** The main case: without the horizon the last line would take effect again. */
  @Test
  void anIdWhosePartitionWasDroppedIsNotTakenForANewOne() throws SQLException {
    Duration then = Duration.ofDays(-12);
    maintain(then);
    String old = id(then);
    assertThat(take(old)).isEqualTo(new HandleResult.Done());
    assertThat(partition(old)).matches("semel_inbox_\\d{10}");
    Upkeep maintenance = maintain(Duration.ZERO);
    assertThat(maintenance.dropped()).isEqualTo(2);
    assertThat(maintenance.horizon().orElseThrow())
        .isBefore(Instant.now().minus(Duration.ofDays(10)))
        .isAfter(Instant.now().minus(Duration.ofDays(12)));
    assertThat(partition(old)).isEmpty();
    assertTooOld(take(old));
    assertTooOld(take(old));
    assertThat(partition(old)).as("what was refused leaves no id").isEmpty();
    assertThat(fixture.effects("")).containsExactly(old);
  }

  @Test
  void whatIsTooOldIsRefusedInEveryWayOfTaking() throws SQLException {
    maintain(Duration.ofDays(-12));
    maintain(Duration.ZERO);
    String old = id(Duration.ofDays(-12));
    String fresh = id(Duration.ZERO);
    List<HandleResult> batch =
        consumerInbox().take(List.of(message(fresh), message(old), message("x"), message(old)));
    assertThat(batch.get(0)).isEqualTo(new HandleResult.Done());
    assertTooOld(batch.get(1));
    assertThat(batch.get(2)).isEqualTo(new HandleResult.Done());
    assertTooOld(batch.get(3));
    assertTooOld(fixture.inbox().storing("stored").take(List.of(message(old))).getFirst());
    assertThat(fixture.operations().find("stored", old)).isEmpty();
    for (OutsideMode mode : OutsideMode.values()) {
      List<String> ran = new ArrayList<>();
      ConsumerInbox outside = fixture.inbox().outside("outside", m -> ran.add(m.id()), mode);
      assertTooOld(outside.take(List.of(message(old))).getFirst());
      assertThat(ran).isEmpty();
    }
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () ->
                  fixture
                      .inbox()
                      .handle(
                          connection,
                          CONSUMER,
                          message(old),
                          (c, m) -> InboxFixture.write(c, "old")))
          .isInstanceOf(MessageTooOld.class);
      InboxFixture.write(connection, "the caller goes on");
      connection.commit();
    }
    assertThat(fixture.effects("")).containsExactly(fresh, "x", "the caller goes on");
    assertThat(partition(old)).isEmpty();
  }

  /** Its snapshot is from before the drop, so it must be repeated instead of finding no horizon. */
  @Test
  void aTransactionWithAnOlderViewCantTakeADroppedIdForNew() throws SQLException {
    Duration then = Duration.ofDays(-12);
    maintain(then);
    String old = id(then);
    take(old);
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      HandlerCall.execute(connection, "SELECT count(*) FROM effect");
      maintain(Duration.ZERO);
      assertThatThrownBy(
              () ->
                  fixture
                      .inbox()
                      .handle(
                          connection,
                          CONSUMER,
                          message(old),
                          (c, m) -> InboxFixture.write(c, "twice")))
          .hasMessageContaining("could not serialize");
      connection.rollback();
    }
    assertThat(fixture.effects("")).containsExactly(old);
  }

  @Test
  void whatIsPendingDeadOrInDoubtOrOfAnotherKindOutlivesItsPartition() {
    Duration then = Duration.ofDays(-12);
    maintain(then);
    String pending = id(then);
    String dead = id(then);
    String inDoubt = id(then);
    String done = id(then);
    String otherKind = done.substring(0, 14) + "4" + done.substring(15);
    fixture.inbox().storing(CONSUMER).take(List.of(message(dead)));
    fixture
        .inbox()
        .worker(
            CONSUMER,
            (c, m) -> {
              throw new MessageRejected("never");
            },
            InboxWorkerSettings.defaults())
        .runOnce();
    fixture.inbox().storing(CONSUMER).take(List.of(message(pending)));
    fixture
        .inbox()
        .outside(
            CONSUMER,
            m -> {
              throw new IllegalStateException("who knows");
            },
            OutsideMode.IN_DOUBT)
        .take(List.of(message(inDoubt)));
    take(done);
    take(otherKind);
    assertThat(partition(otherKind)).isEqualTo(partition(done)).matches("semel_inbox_\\d{10}");
    assertThat(maintain(Duration.ZERO).dropped()).isPositive();
    for (String kept : List.of(pending, dead, inDoubt, otherKind)) {
      assertThat(partition(kept)).as(kept).isEqualTo("semel_inbox_default");
      assertThat(take(kept)).isEqualTo(new HandleResult.Duplicate());
    }
    assertTooOld(take(done));
    assertThat(fixture.operations().list(CONSUMER, State.IN_DOUBT, "", 10).entries()).hasSize(1);
    assertThat(fixture.operations().list(CONSUMER, State.PENDING, "", 10).entries()).hasSize(1);
    assertThat(fixture.operations().list(CONSUMER, State.DEAD, "", 10).entries()).hasSize(1);
    String newOfOtherKind = id(then).substring(0, 14) + "4" + done.substring(15);
    assertThat(take(newOfOtherKind))
        .as("no UUIDv7 is ever refused")
        .isEqualTo(new HandleResult.Done());
  }

  @Test
  void idsThatCameBeforeTheirPartitionMoveIntoIt() {
    maintain(Duration.ZERO);
    String early = id(DAY.multipliedBy(6));
    assertThat(take(early)).isEqualTo(new HandleResult.Done());
    assertThat(partition(early)).isEqualTo("semel_inbox_default");
    assertThat(maintain(DAY.multipliedBy(4)).created()).isEqualTo(4);
    assertThat(partition(early)).matches("semel_inbox_\\d{10}");
    assertThat(take(early)).isEqualTo(new HandleResult.Duplicate());
    assertThat(fixture.effects("")).containsExactly(early);
  }

  @Test
  void moreIdsThanCanBeMovedStayWhereTheyAre() throws SQLException {
    maintain(Duration.ofDays(-40));
    fixture.execute(
        """
        INSERT INTO semel_inbox (consumer, id, state, taker, seen_at)
        SELECT 'ledger', substr('%s', 1, 24) || lpad(n::text, 12, '0'), 'D', 0, 0
        FROM generate_series(1, 10001) n"""
            .formatted(id(Duration.ZERO)));
    assertThat(maintain(Duration.ZERO).created()).isEqualTo(3);
    assertThat(fixture.number("SELECT count(*) FROM semel_inbox_default")).isEqualTo(10_001);
    assertThat(take(id(Duration.ZERO))).isEqualTo(new HandleResult.Done());
    assertThat(fixture.operations().purge(CONSUMER, Duration.ofDays(1), 20_000))
        .as("bounded deletes are as ever")
        .isEqualTo(10_001);
  }

  @Test
  void aTableWithRowsBecomesTheDefaultPartitionAsItIs() {
    String before = id(Duration.ofDays(-3));
    assertThat(take(before)).isEqualTo(new HandleResult.Done());
    long table = fixture.number("SELECT 'semel_inbox'::regclass::oid::bigint");
    maintain(Duration.ZERO);
    assertThat(fixture.number("SELECT 'semel_inbox_default'::regclass::oid::bigint"))
        .isEqualTo(table);
    assertThat(
            fixture.number(
                "SELECT count(*) FROM pg_index WHERE indrelid = 'semel_inbox_default'::regclass"))
        .isEqualTo(2);
    assertThat(take(before)).isEqualTo(new HandleResult.Duplicate());
    assertThat(take(id(Duration.ofDays(-3))))
        .as("nothing was dropped")
        .isEqualTo(new HandleResult.Done());
    PostgresStore.open(database.dataSource(), SchemaSetup.CHECK).close();
  }

  /**
   * Concurrently recorded ids are waited for, and many processes may maintain partitions at once.
   */
  @Test
  void consumersAndUpkeepAtTheSameTimeLoseAndRepeatNothing() {
    maintain(Duration.ofDays(-14));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      ids.add(id(Duration.ofDays(-14).plusHours(i)));
    }
    List<Together.Beside<Integer>> all = new ArrayList<>();
    for (int taker = 0; taker < 3; taker++) {
      all.add(
          Together.beside(
              () -> {
                int done = 0;
                for (String each : ids) {
                  done += take(each) instanceof HandleResult.Done ? 1 : 0;
                }
                return done;
              }));
    }
    for (int keeper = 0; keeper < 2; keeper++) {
      all.add(
          Together.beside(
              () -> {
                for (int hours = -14 * 24; hours <= 0; hours += 6) {
                  maintain(Duration.ofHours(hours));
                }
                return 0;
              }));
    }
    int done = all.stream().mapToInt(Together.Beside::result).sum();
    assertThat(fixture.effects("")).hasSize(done).doesNotHaveDuplicates();
    assertThat(fixture.number("SELECT horizon FROM semel_inbox_partitioning")).isPositive();
  }

  @Test
  void atOtherPlacesAndWidthsItIsRefused(@TempDir Path folder) throws SQLException {
    maintain(Duration.ZERO);
    assertThatThrownBy(
            () -> fixture.inbox().partitions(SETTINGS.withWidth(Duration.ofHours(6))).maintain())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("PT24H");
    try (InboxFixture sqlite = InboxFixture.on(folder)) {
      assertThatThrownBy(() -> sqlite.inbox().partitions(SETTINGS))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("PostgreSQL");
    }
    assertThatThrownBy(() -> InboxPartitionSettings.keeping(Duration.ofHours(3)))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> SETTINGS.withWidth(Duration.ofMinutes(90)))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void whereNobodyLooksAfterThePartitionsTheDoctorSaysSo() {
    maintain(Duration.ofDays(-40));
    assertThat(fixture.operations().diagnose())
        .singleElement()
        .asString()
        .contains("no partition for ids from", "semel inbox partition");
  }
}
