package dev.semel.jdbc.internal.sqlite;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.SchemaSetup;
import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.loop.internal.Backoff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One SQLite file: its connections, the turns of its writers, and the meaning of its errors.
 *
 * <p>SQLite lets one writer in at a time and makes the others poll. So the writers of this process
 * queue for a turn here first, and only one of them at a time polls against other processes.
 */
public final class SqliteFile {
  /** How long a writer waits for its turn, and then for other processes, before it gives up. */
  static final Duration BUSY_TIMEOUT = Duration.ofSeconds(5);

  /** SQLite truncates the write-ahead log to this once its pages are in the main file. */
  private static final int LOG_BYTES_KEPT = 64 << 20;

  /**
   * Log pages per checkpoint. A larger checkpoint writes a page once that changed several times.
   */
  private static final int LOG_PAGES = 4000;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(2);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  private final Path path;
  private final ReentrantLock turn = new ReentrantLock(true);

  private SqliteFile(Path path) {
    this.path = path;
  }

  /** Opens the file for any number of connections, and creates or checks its tables. */
  public static SqliteFile open(Path path, SchemaSetup setup) {
    Path file = path.toAbsolutePath().normalize();
    if (file.toString().indexOf('?') >= 0) {
      throw new InvalidInput(
          "the driver reads what follows a question mark as options: rename "
              + PrintableText.quoted(file.toString()));
    }
    if (Files.isDirectory(file)) {
      throw new InvalidInput(
          "%s is a folder: name a file in it, such as %s"
              .formatted(file, file.resolve("semel.db")));
    }
    createFolder(file);
    SqliteFile opened = new SqliteFile(file);
    opened.prepare(setup);
    return opened;
  }

  /** The file's size, and its possible size: that plus the free space of its disk. */
  public Optional<Store.Room> room() {
    try {
      long used = Files.size(path) + logBytes();
      return Optional.of(
          new Store.Room(used, Math.max(1, used + Files.getFileStore(path).getUsableSpace())));
    } catch (IOException e) {
      throw new StoreException("the room on the disk of the SQLite file is unknown", e);
    }
  }

  private long logBytes() throws IOException {
    Path log = path.resolveSibling(path.getFileName() + "-wal");
    return Files.exists(log) ? Files.size(log) : 0;
  }

  public Path path() {
    return path;
  }

  private static void createFolder(Path file) {
    Path folder = file.getParent();
    try {
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw new StoreException(
          "the folder %s can't be created (%s): choose another place or change its owner"
              .formatted(folder, e),
          e);
    }
  }

  private void prepare(SchemaSetup setup) {
    try (Connection connection = connect(false)) {
      useWriteAheadLog(connection);
      switch (setup) {
        case CHECK -> SqlSchema.SQLITE.require(connection);
        case CREATE -> {
          if (!SqlSchema.SQLITE.isCurrent(connection)) {
            createTables();
          }
        }
      }
    } catch (SQLException e) {
      throw fault("it can't be opened", e);
    }
  }

  private void createTables() throws SQLException {
    try (SqliteWriter writer = new SqliteWriter(this, false)) {
      writer.begin();
      SqlSchema.SQLITE.upgrade(writer.connection());
      writer.commit();
    }
  }

  /**
   * Switches the file to write-ahead logging, which stays in the file. Unlike statements, this does
   * not wait for a lock, so processes that open a new file together must retry.
   */
  private void useWriteAheadLog(Connection connection) throws SQLException {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    long deadline = System.nanoTime() + BUSY_TIMEOUT.toNanos();
    while (true) {
      try (Statement statement = connection.createStatement();
          ResultSet rs = statement.executeQuery("PRAGMA journal_mode = WAL")) {
        if (rs.next() && rs.getString(1).equals("wal")) {
          return;
        }
        throw new StoreException(
            "%s can't have a write-ahead log: keep it on a local disk, not on a network share"
                .formatted(path));
      } catch (SQLException e) {
        if (!SqliteFault.isBusy(e) || !backoff.pauseUntil(deadline)) {
          throw e;
        }
      }
    }
  }

  /**
   * A new connection. A commit on it returns once it is on disk.
   *
   * @param forHandlers whether application code gets it, which may ask for generated keys
   */
  Connection connect(boolean forHandlers) throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("busy_timeout", Long.toString(BUSY_TIMEOUT.toMillis()));
    settings.setProperty("synchronous", "FULL");
    settings.setProperty("foreign_keys", "true");
    settings.setProperty("journal_size_limit", Integer.toString(LOG_BYTES_KEPT));
    settings.setProperty("transaction_mode", "IMMEDIATE");
    settings.setProperty("jdbc.get_generated_keys", Boolean.toString(forHandlers));
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + path, settings);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_autocheckpoint = " + LOG_PAGES);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /**
   * Waits for this process's other writers.
   *
   * @throws StoreException when that takes too long; nothing was written
   */
  public void takeTurn() throws InterruptedException {
    requireNoTurn();
    if (!turn.tryLock(BUSY_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new StoreException(
          "nothing was written: work that runs in a transaction of %s has kept it for more than %d s: make that work shorter, and let it not wait for this store"
              .formatted(path, BUSY_TIMEOUT.toSeconds()));
    }
  }

  /** As {@link #takeTurn}, but reports an interrupt as a failure. */
  public void awaitTurn() {
    try {
      takeTurn();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("nothing was written: the caller was interrupted", e);
    }
  }

  /** Fails when this thread already has the turn: waiting for itself would never end. */
  void requireNoTurn() {
    if (turn.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "work that runs in a transaction of %s can't use its store as well: let it use its connection only"
              .formatted(path));
    }
  }

  public void giveTurn() {
    turn.unlock();
  }

  public StoreException fault(String what, SQLException e) {
    return SqliteFault.of(path, what, e);
  }
}
