package dev.semel.benchmarks;

import dev.semel.loop.internal.Loop;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The minimum for group commit on SQLite: one table, two statements, no decisions. */
final class BareSqlite implements AutoCloseable {
  private static final int QUEUE = 1024;

  private record Write(boolean first, long number, CompletableFuture<Void> done) {}

  private final Connection connection;
  private final Statement plain;
  private final PreparedStatement insert;
  private final PreparedStatement update;
  private final BlockingQueue<Write> queue = new ArrayBlockingQueue<>(QUEUE);
  private final List<Write> batch = new ArrayList<>();
  private final Loop loop;

  BareSqlite(Path file) throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    plain = connection.createStatement();
    plain.execute("PRAGMA journal_mode = WAL");
    plain.execute("PRAGMA synchronous = FULL");
    plain.execute("PRAGMA wal_autocheckpoint = 4000");
    plain.execute("CREATE TABLE bare (key TEXT PRIMARY KEY, state TEXT, data BLOB)");
    insert = connection.prepareStatement("INSERT INTO bare VALUES (?, 'P', ?)");
    update = connection.prepareStatement("UPDATE bare SET state = 'C', data = ? WHERE key = ?");
    loop = Loop.start("bare-sqlite", this::runOnce, Duration.ofMillis(1), this::fail);
  }

  void insert(long number) throws Exception {
    write(true, number);
  }

  void update(long number) throws Exception {
    write(false, number);
  }

  private void write(boolean first, long number) throws Exception {
    Write write = new Write(first, number, new CompletableFuture<>());
    queue.put(write);
    write.done().get();
  }

  private boolean runOnce() throws InterruptedException, SQLException {
    Write first = queue.poll(100, TimeUnit.MILLISECONDS);
    if (first == null) {
      return true;
    }
    batch.add(first);
    queue.drainTo(batch);
    plain.execute("BEGIN IMMEDIATE");
    for (Write write : batch) {
      run(write);
    }
    plain.execute("COMMIT");
    batch.forEach(write -> write.done().complete(null));
    batch.clear();
    return true;
  }

  private void fail(Exception e) {
    batch.forEach(write -> write.done().completeExceptionally(e));
    batch.clear();
  }

  private void run(Write write) throws SQLException {
    String key = "default/payment:order-" + write.number();
    byte[] data = new byte[write.first() ? 100 : 7];
    if (write.first()) {
      insert.setString(1, key);
      insert.setBytes(2, data);
      insert.executeUpdate();
    } else {
      update.setBytes(1, data);
      update.setString(2, key);
      update.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    loop.close();
    connection.close();
  }
}
