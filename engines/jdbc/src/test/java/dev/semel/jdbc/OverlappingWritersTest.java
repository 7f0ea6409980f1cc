package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.proof.history.MessageChecker;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many transactions draw their places while others are open, and three relays run: a reader that
 * remembers a place, or skips locked rows, would lose messages or their order.
 *
 * <p>The effects behind an inbox count: a relay that lost its lease may send its messages again,
 * late.
 */
@ExtendWith(SharedServices.class)
@Tag("service")
class OverlappingWritersTest {
  private static final int WRITERS = 12;
  private static final int TRANSACTIONS_EACH = 250;
  private static final int STREAMS = 40;
  private static final int RELAYS = 3;

  /** Locks the stream and increments its version; after that the place is drawn. */
  private static final String NEXT =
      "UPDATE stream SET version = version + 1 WHERE name = ? RETURNING version";

  @Test
  void nothingIsLostAndEveryStreamIsInOrder(PostgresService service) throws Exception {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
      pool.setMaximumPoolSize(WRITERS + RELAYS * 3);
      PostgresStore store = PostgresStore.open(pool);
      createStreams(pool);
      Recording broker = new Recording();
      try (JdbcOutbox outbox = JdbcOutbox.on(store, OutboxSettings.defaults())) {
        List<Relay> relays =
            Stream.generate(
                    () ->
                        Relay.start(
                            outbox.store(),
                            broker,
                            RelaySettings.defaults().withLease(Duration.ofSeconds(1))))
                .limit(RELAYS)
                .toList();
        write(pool, outbox);
        await()
            .until(
                () -> {
                  boolean all = relays.stream().allMatch(relay -> relay.counts().published() > 0);
                  if (!all) {
                    writeToEach(pool, outbox); // until all took part
                  }
                  return all && outbox.operations().status().pending() == 0;
                });
        relays.forEach(Relay::close);
      }
      assertThat(MessageChecker.check(sent(pool), broker.effects())).isEmpty();
    }
  }

  private static void createStreams(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stream (name text PRIMARY KEY, version integer NOT NULL)");
      statement.execute(
          "INSERT INTO stream SELECT 's' || n, 0 FROM generate_series(0, %d) n"
              .formatted(STREAMS - 1));
    }
  }

  private static void write(HikariDataSource pool, JdbcOutbox outbox) throws Exception {
    List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> writers =
        IntStream.range(0, WRITERS)
            .mapToObj(
                writer ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              try {
                                write(pool, outbox, new Random(writer));
                              } catch (SQLException | RuntimeException e) {
                                failures.add(e);
                              }
                            }))
            .toList();
    for (Thread each : writers) {
      each.join();
    }
    assertThat(failures).isEmpty();
  }

  private static void write(HikariDataSource pool, JdbcOutbox outbox, Random random)
      throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < TRANSACTIONS_EACH; i++) {
        String stream = "s" + random.nextInt(STREAMS);
        int messages = 1 + random.nextInt(3);
        for (int m = 0; m < messages; m++) {
          add(connection, outbox, stream);
        }
        if (random.nextInt(10) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    }
  }

  private static void writeToEach(HikariDataSource pool, JdbcOutbox outbox) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (int stream = 0; stream < STREAMS; stream++) {
        add(connection, outbox, "s" + stream);
      }
      connection.commit();
    }
  }

  private static void add(Connection connection, JdbcOutbox outbox, String stream)
      throws SQLException {
    String id = stream + "-" + next(connection, stream);
    outbox.add(connection, Message.of("streams", id).withId(id).withOrderingKey(stream));
  }

  private static int next(Connection connection, String stream) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NEXT)) {
      statement.setString(1, stream);
      try (ResultSet rs = statement.executeQuery()) {
        rs.next();
        return rs.getInt(1);
      }
    }
  }

  private static List<MessageChecker.Message> sent(HikariDataSource pool) throws SQLException {
    List<MessageChecker.Message> sent = new ArrayList<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery("SELECT name, version FROM stream")) {
      while (rs.next()) {
        String stream = rs.getString(1);
        for (int version = 1; version <= rs.getInt(2); version++) {
          sent.add(new MessageChecker.Message(stream + "-" + version, stream, true));
        }
      }
    }
    return sent;
  }

  /** Confirms everything, and records each message once, in the order of arrival. */
  private static final class Recording implements Transport {
    private final Set<String> effects = new LinkedHashSet<>();

    /** The first copy of each message in the order of arrival, as after an inbox. */
    synchronized List<String> effects() {
      return List.copyOf(effects);
    }

    @Override
    public String describe() {
      return "recording";
    }

    @Override
    public synchronized CompletionStage<PublishResult> publish(Message message) {
      boolean first = effects.add(message.id());
      return CompletableFuture.completedFuture(new PublishResult(!first, ""));
    }

    @Override
    public boolean keepsOrder() {
      return false;
    }

    @Override
    public Subscription subscribe(String destination, String consumer, SubscribeSettings settings) {
      throw new UnsupportedOperationException("nobody listens");
    }

    @Override
    public List<String> hazards(Duration retrySpan) {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
