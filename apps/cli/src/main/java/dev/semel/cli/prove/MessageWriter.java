package dev.semel.cli.prove;

import dev.semel.StoreException;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.loop.internal.Loop;
import dev.semel.proof.WorkerOrders;
import dev.semel.proof.flow.MessageJudge;
import dev.semel.proof.flow.ProcessNotes;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Writes a business row and a message in one transaction, repeatedly, and rolls some transactions
 * back. It locks the account's row first, so that the account's versions are the order of its
 * messages.
 */
final class MessageWriter implements AutoCloseable {
  private static final int THREADS = 2;

  /** One of this many transactions is rolled back. */
  private static final int UNDONE = 5;

  private final String client;
  private final String destination;
  private final JdbcOutbox outbox;
  private final ProcessNotes notes;
  private final AtomicLong written = new AtomicLong();
  private final List<Loop> loops;

  /** Starts at once. */
  MessageWriter(WorkerOrders orders, JdbcOutbox outbox) {
    this.client = orders.client();
    this.destination = MessageWorker.broker(orders).destination();
    this.outbox = outbox;
    this.notes = new ProcessNotes(orders.history(), client);
    Duration rest = Duration.ofSeconds(THREADS).dividedBy(orders.number("per_second"));
    this.loops =
        IntStream.range(0, THREADS)
            .mapToObj(i -> start(new Random(orders.seed() + i), rest))
            .toList();
  }

  private Loop start(RandomGenerator random, Duration rest) {
    return Loop.start(
        "semel-write",
        () -> {
          write(random);
          return false;
        },
        rest,
        e -> e.printStackTrace(System.err)); // goes to this process's log
  }

  long written() {
    return written.get();
  }

  /** Thrown by a transaction that is to be rolled back. */
  private static final class Undone extends Exception {
    private static final long serialVersionUID = 1;
  }

  private void write(RandomGenerator random) throws SQLException {
    String account = "account-" + random.nextInt(ProofDatabase.ACCOUNTS);
    String id = client + "-" + written.incrementAndGet();
    boolean undo = random.nextInt(UNDONE) == 0;
    Message message = Message.of(destination, id).withId(id).withOrderingKey(account);
    notes.note(MessageJudge.WRITES, id, account);
    try {
      outbox.<Boolean, Exception>executeWithOutbox(
          connection -> {
            order(connection, id, account);
            outbox.add(connection, message);
            if (undo) {
              throw new Undone();
            }
            return true;
          });
      notes.note(MessageJudge.COMMITTED, id, "");
    } catch (Undone e) {
      notes.note(MessageJudge.ROLLED_BACK, id, "");
    } catch (StoreException | SQLException e) {
      notes.note(MessageJudge.UNSURE, id, String.valueOf(e.getMessage()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void order(Connection connection, String id, String account) throws SQLException {
    try (PreparedStatement lock =
            connection.prepareStatement(
                "UPDATE prove_account SET version = version + 1 WHERE id = ?");
        PreparedStatement look =
            connection.prepareStatement("SELECT version FROM prove_account WHERE id = ?");
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO prove_order (id, account, version) VALUES (?, ?, ?)")) {
      lock.setString(1, account);
      lock.executeUpdate();
      look.setString(1, account);
      long version;
      try (ResultSet rs = look.executeQuery()) {
        rs.next();
        version = rs.getLong(1);
      }
      insert.setString(1, id);
      insert.setString(2, account);
      insert.setLong(3, version);
      insert.executeUpdate();
    }
  }

  /** Waits for the transactions in progress. */
  @Override
  public void close() {
    loops.forEach(Loop::close);
    notes.close();
  }
}
