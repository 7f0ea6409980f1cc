package dev.semel.jdbc;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.event.spi.EventStore;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.FileBackedStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordImport;
import dev.semel.idempotency.spi.SettingsStore;
import dev.semel.idempotency.spi.StatisticsStore;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.internal.sqlite.GroupCommit;
import dev.semel.jdbc.internal.sqlite.SqliteCopy;
import dev.semel.jdbc.internal.sqlite.SqliteEngine;
import dev.semel.jdbc.internal.sqlite.SqliteFile;
import dev.semel.jdbc.internal.sqlite.SqliteKeys;
import dev.semel.jdbc.internal.sqlite.SqliteReaders;
import dev.semel.jdbc.internal.sqlite.SqliteRecords;
import dev.semel.jdbc.internal.store.KeyRange;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.SqlEvents;
import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.jdbc.internal.store.SqlSettings;
import dev.semel.jdbc.internal.store.SqlStatistics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A store of idempotency records in one SQLite file, for programs on one machine. Many threads and
 * processes may share the file; it must be on a local disk. A grant, completion or release is on
 * disk before the call returns.
 *
 * <p>Writers of this process share commits. A crash leaves the file as after the last commit; the
 * next process that opens it replays SQLite's log.
 *
 * <p>The store uses the given clock. Add the driver, {@code org.xerial:sqlite-jdbc}, to the
 * program.
 */
public final class SqliteStore implements FileBackedStore, IdempotencyStore, KeyCatalog {
  private final SqliteFile file;
  private final InstantSource clock;
  private final GroupCommit writers;
  private final SqliteReaders readers;
  private final SqlEngine engine;
  private final SqlStatistics statistics;
  private final SqlSettings settings;
  private final SqlEvents events;

  private SqliteStore(SqliteFile file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
    this.writers = GroupCommit.start(file);
    this.readers = new SqliteReaders(file);
    this.engine = new SqliteEngine(writers, readers, clock);
    this.statistics = new SqlStatistics(engine);
    this.settings = new SqlSettings(engine);
    this.events = new SqlEvents(engine);
  }

  /** Opens the file, and creates it, its folder and its tables if they are missing. */
  public static SqliteStore open(Path path, InstantSource clock) {
    return open(path, clock, SchemaSetup.CREATE);
  }

  /**
   * Opens the file, and creates missing tables or only checks them, as {@code setup} says.
   *
   * @throws InvalidInput when the path can't be a database file
   * @throws StoreException when the file can't be opened, or its tables are from a newer version
   */
  public static SqliteStore open(Path path, InstantSource clock, SchemaSetup setup) {
    return new SqliteStore(SqliteFile.open(path, setup), clock);
  }

  /** The statements that create the tables, for {@link SchemaSetup#CHECK}. */
  public static String ddl() {
    return SqlSchema.SQLITE.ddl();
  }

  /**
   * The statements that migrate tables from that version to the current one, for {@link
   * SchemaSetup#CHECK}; 0: no tables exist.
   */
  public static String ddl(int from) {
    return SqlSchema.SQLITE.ddl(from);
  }

  /** The version of the tables that this release creates. */
  public static int schemaVersion() {
    return SqlSchema.SQLITE.newest();
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return writers.run(db -> SqliteRecords.claim(db, request, clock.millis()));
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return writers.run(db -> SqliteRecords.renew(db, key, token, lease, clock.millis()));
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    return writers.run(
        db -> SqliteRecords.complete(db, key, token, ending, retention, clock.millis()));
  }

  @Override
  public boolean release(Key key, Token token) {
    return writers.run(db -> SqliteRecords.release(db, key, token, clock.millis()));
  }

  @Override
  public Optional<StoredRecord> find(Key key) {
    return readers.read(db -> SqliteRecords.find(db, key, clock.millis()).filter(RecordRows::live));
  }

  @Override
  public Page list(String prefix, String cursor, int limit) {
    if (!KeyRange.canMatch(prefix) || !KeyRange.canMatch(cursor)) {
      return new Page(List.of(), "");
    }
    int size = Math.clamp(limit, 1, MAX_PAGE);
    return readers.read(db -> SqliteKeys.list(db, prefix, cursor, size, clock.millis()));
  }

  @Override
  public boolean forceRelease(Key key) {
    return writers.run(db -> SqliteKeys.forceRelease(db, key, clock.millis()));
  }

  @Override
  public boolean delete(Key key) {
    return writers.run(db -> SqliteKeys.delete(db, key, clock.millis()));
  }

  @Override
  public RecordImport adopt(KeyEntry entry) {
    return writers.run(db -> SqliteKeys.adopt(db, entry, clock.millis()));
  }

  @Override
  public int purge(int limit) {
    return RecordRows.inParts(
        limit, part -> writers.run(db -> SqliteKeys.purge(db, part, clock.millis())));
  }

  @Override
  public int ended(int limit) {
    return readers.read(db -> SqliteKeys.ended(db, limit, clock.millis()));
  }

  /** The file can use the free space of its disk. */
  @Override
  public Optional<Room> room() {
    return file.room();
  }

  @Override
  public Usage usage() {
    return readers.read(db -> SqliteKeys.usage(db, clock.millis()));
  }

  @Override
  public String describe() {
    return "sqlite:" + PrintableText.safe(file.path().toString());
  }

  @Override
  public IdempotencyStore idempotency() {
    return this;
  }

  @Override
  public KeyCatalog catalog() {
    return this;
  }

  @Override
  public StatisticsStore statistics() {
    return statistics;
  }

  @Override
  public SettingsStore settings() {
    return settings;
  }

  @Override
  public EventStore events() {
    return events;
  }

  @Override
  public List<String> setUp() {
    return readers.read(db -> List.of(SqlSchema.SQLITE.setUp(db.connection())));
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  SqlEngine engine() {
    return engine;
  }

  SqliteFile file() {
    return file;
  }

  InstantSource clock() {
    return clock;
  }

  @Override
  public long backup(Path copy) {
    new SqliteCopy(copy).writeFrom(file);
    return checkBackup(copy);
  }

  /**
   * Checks a file that {@link #backup} wrote.
   *
   * @return how many records it holds
   * @throws StoreException the file is damaged or missing
   */
  public static long checkBackup(Path copy) {
    return new SqliteCopy(copy).check();
  }

  /** Answers waiting callers, then closes the file. Later calls are refused. */
  @Override
  public void close() {
    writers.close();
    readers.close();
  }
}
