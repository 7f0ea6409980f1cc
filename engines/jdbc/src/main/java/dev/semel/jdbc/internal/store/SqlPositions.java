package dev.semel.jdbc.internal.store;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.internal.inbox.InboxEngine;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PositionMoved;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** Stores consumers' positions in the inbox's database. */
public final class SqlPositions implements ConsumerPositions {
  static final int MAX_NAME_LENGTH = 256;

  /** Prefixes every position, so that none is an empty text. */
  private static final String SIGN = "=";

  /** How long a silent member's row stays; the member does not count after its lease. */
  private static final Duration FORGET_MEMBER_AFTER = Duration.ofHours(1);

  private static final String READ =
      "SELECT lane, position FROM semel_inbox_position WHERE consumer = ?";

  private static final String SEEN =
      "UPDATE semel_inbox_member SET until_millis = ?, first_lane = ?"
          + " WHERE consumer = ? AND member = ?";

  private static final String BEGIN =
      "INSERT INTO semel_inbox_member (until_millis, first_lane, consumer, member)"
          + " VALUES (?, ?, ?, ?)";

  private static final String FORGET =
      "DELETE FROM semel_inbox_member WHERE consumer = ? AND until_millis < ?";

  private static final String END =
      "DELETE FROM semel_inbox_member WHERE consumer = ? AND member = ?";

  private static final String LIVING =
      """
      SELECT count(*) FROM semel_inbox_member
      WHERE consumer = ? AND first_lane = ? AND until_millis > ?""";

  private static final String PARTITIONS = "SELECT lane FROM semel_inbox_lane WHERE consumer = ?";

  private static final String MINE = PARTITIONS + " AND member = ?";

  private static final String FREE =
      PARTITIONS + " AND (member IS NULL OR until_millis <= ?) ORDER BY lane";

  private static final String EXTEND =
      "UPDATE semel_inbox_lane SET until_millis = ? WHERE consumer = ? AND member = ?";

  private static final String TAKE =
      "UPDATE semel_inbox_lane SET member = ?, until_millis = ? WHERE consumer = ? AND lane = ?";

  private static final String GIVE =
      "UPDATE semel_inbox_lane SET member = NULL, until_millis = 0"
          + " WHERE consumer = ? AND member = ?";

  private final InboxEngine engine;
  private final String now;
  private final String move;
  private final String start;
  private final String addPartition;

  public SqlPositions(InboxEngine engine) {
    this.engine = engine;
    this.now = "SELECT " + engine.clock() + " + ?";
    this.move =
        """
        UPDATE semel_inbox_position SET position = ?, moved_at = %s + ?
        WHERE consumer = ? AND lane = ? AND position = ?"""
            .formatted(engine.clock());
    this.start =
        "INSERT INTO semel_inbox_position (consumer, lane, position, moved_at) VALUES (?, ?, ?, 0)"
            + engine.orLeave("semel_inbox_position");
    this.addPartition =
        "INSERT INTO semel_inbox_lane (consumer, lane, until_millis) VALUES (?, ?, 0)"
            + engine.orLeave("semel_inbox_lane");
  }

  @Override
  public Map<String, String> read(String consumer, Set<String> partitions) {
    String name = checked(consumer);
    partitions.forEach(SqlPositions::checkedName);
    String what = "where the consumer stands is unknown, try again";
    Map<String, String> found = engine.read(what, db -> found(db, name));
    if (!found.keySet().containsAll(partitions)) {
      found = engine.transact(what, db -> begin(db, name, partitions));
    }
    found.keySet().retainAll(partitions);
    return found;
  }

  private Map<String, String> begin(StatementCache db, String consumer, Set<String> partitions)
      throws SQLException {
    for (String partition : new TreeSet<>(partitions)) {
      db.update(start, consumer, partition, SIGN);
    }
    return found(db, consumer);
  }

  private static Map<String, String> found(StatementCache db, String consumer) throws SQLException {
    Map<String, String> found = new HashMap<>();
    db.all(
        READ, rs -> found.put(rs.getString(1), rs.getString(2).substring(SIGN.length())), consumer);
    return found;
  }

  @Override
  public void advance(String consumer, List<LogPosition> steps) {
    String name = checked(consumer);
    engine.transact(
        "whether the consumer's position moved is unknown", db -> advance(db, name, steps));
  }

  /** Runs in the caller's transaction, which must not commit if this throws. */
  public int advance(StatementCache db, String consumer, List<LogPosition> steps)
      throws SQLException {
    for (LogPosition step :
        steps.stream().sorted(Comparator.comparing(LogPosition::partition)).toList()) {
      int moved =
          db.update(
              move,
              SIGN + checkedName(step.next()),
              engine.offset(),
              consumer,
              step.partition(),
              SIGN + step.from());
      if (moved != 1) {
        throw new PositionMoved(
            "the consumer %s does not stand at %s in %s any more: another has read on, or the subscription keeps its positions elsewhere"
                .formatted(
                    PrintableText.quoted(consumer),
                    PrintableText.quoted(step.from()),
                    PrintableText.quoted(step.partition())));
      }
    }
    return steps.size();
  }

  @Override
  public Share share(String consumer, String member, Set<String> partitions, Duration lease) {
    String name = checked(consumer);
    checkedName(member);
    partitions.forEach(SqlPositions::checkedName);
    if (partitions.isEmpty()) {
      throw new InvalidInput("there are no partitions to share: name at least one");
    }
    return engine.transact(
        "the member's partitions are unknown, try again",
        db -> share(db, name, member, new TreeSet<>(partitions), lease.toMillis()));
  }

  private Share share(
      StatementCache db,
      String consumer,
      String member,
      NavigableSet<String> partitions,
      long leaseMillis)
      throws SQLException {
    long at = db.first(now, rs -> rs.getLong(1), engine.offset()).orElseThrow();
    long until = at + leaseMillis;
    if (db.update(SEEN, until, partitions.first(), consumer, member) == 0) {
      begin(db, consumer, member, partitions, until);
      db.update(FORGET, consumer, at - FORGET_MEMBER_AFTER.toMillis());
    }
    db.update(EXTEND, until, consumer, member);
    // Locks the rows, because another member may have taken what a snapshot shows as free.
    Set<String> mine = new HashSet<>(names(db, MINE + engine.locking(), consumer, member));
    mine.retainAll(partitions);
    int members =
        db.first(LIVING, rs -> rs.getInt(1), consumer, partitions.first(), at).orElseThrow();
    int wanted = new Share(members, mine).of(partitions.size()) - mine.size();
    if (wanted > 0) {
      List<String> free = names(db, FREE + engine.skipLocked(), consumer, at);
      for (String partition : free.stream().filter(partitions::contains).limit(wanted).toList()) {
        db.update(TAKE, member, until, consumer, partition);
        mine.add(partition);
      }
    }
    return new Share(members, mine);
  }

  private void begin(
      StatementCache db, String consumer, String member, Set<String> partitions, long until)
      throws SQLException {
    db.update(BEGIN, until, partitions.iterator().next(), consumer, member);
    Set<String> missing = new TreeSet<>(partitions);
    names(db, PARTITIONS, consumer).forEach(missing::remove);
    for (String partition : missing) {
      db.update(addPartition, consumer, partition);
    }
  }

  private static List<String> names(StatementCache db, String query, Object... values)
      throws SQLException {
    return db.all(query, rs -> rs.getString(1), values);
  }

  @Override
  public void release(String consumer, String member, Set<String> partitions) {
    engine.transact(
        "the partitions may not be given up yet, and are free once their lease ends",
        db -> release(db, consumer, member, partitions));
  }

  private static int release(
      StatementCache db, String consumer, String member, Collection<String> partitions)
      throws SQLException {
    int given = 0;
    for (String partition : new TreeSet<>(partitions)) {
      given += db.update(GIVE + " AND lane = ?", consumer, member, partition);
    }
    return given;
  }

  @Override
  public void leave(String consumer, String member) {
    engine.transact(
        "the partitions may not be given up yet, and are free once their lease ends",
        db -> db.update(GIVE, consumer, member) + db.update(END, consumer, member));
  }

  private static String checked(String consumer) {
    return new Operation(consumer).name();
  }

  private static String checkedName(String name) {
    if (name.length() >= MAX_NAME_LENGTH) {
      throw new InvalidInput(
          "a partition, member or position is longer than %d characters: take a shorter one"
              .formatted(MAX_NAME_LENGTH - 1));
    }
    return name;
  }
}
