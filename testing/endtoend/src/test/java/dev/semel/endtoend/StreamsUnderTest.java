package dev.semel.endtoend;

import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.SqliteStore;
import dev.semel.stream.transport.StreamTransport;
import dev.semel.stream.transport.StreamTransportSettings;
import dev.semel.tck.messages.TransportUnderTest;
import dev.semel.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** A transport to a server of its own, with positions in a file of SQLite. */
final class StreamsUnderTest implements TransportUnderTest, AutoCloseable {
  static final int MAX_BYTES = 256 << 10;

  /** Longer than a test: partitions move only when their reader ends. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  static final Duration CONFIRM_WITHIN = Duration.ofSeconds(5);

  private final Path folder;
  private final StreamsService service;
  private final SqliteStore store;
  private final JdbcInbox inbox;
  private final StreamTransport transport;

  StreamsUnderTest(Path folder) {
    this.folder = folder;
    this.service = new StreamsService(folder);
    this.store = SqliteStore.open(folder.resolve("inbox.db"), InstantSource.system());
    this.inbox = JdbcInbox.on(store);
    this.transport =
        StreamTransport.over(service.client(), settings().withPositions(inbox.positions()));
  }

  static StreamTransportSettings settings() {
    return StreamTransportSettings.defaults()
        .withPartitions(4)
        .withConfirmWithin(CONFIRM_WITHIN)
        .withMaxMessageBytes(MAX_BYTES)
        .withLease(LEASE);
  }

  StreamsService service() {
    return service;
  }

  JdbcInbox inbox() {
    return inbox;
  }

  @Override
  public Transport transport() {
    return transport;
  }

  /** The transport makes what is missing; another test is about one that does not. */
  @Override
  public Optional<String> unknownDestination() {
    return Optional.empty();
  }

  /** Only what the same process sends again before it was confirmed. */
  @Override
  public boolean dropsDuplicates() {
    return false;
  }

  @Override
  public int tooManyBytes() {
    return MAX_BYTES;
  }

  @Override
  public Optional<Stoppable> stoppable() {
    StreamsUnderTest own;
    try {
      own = new StreamsUnderTest(Files.createTempDirectory(folder, "own"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.of(
        new Stoppable() {
          @Override
          public TransportUnderTest underTest() {
            return own;
          }

          @Override
          public void stop() {
            own.service.kill();
          }

          @Override
          public void start() {
            own.service.restart();
          }

          @Override
          public Duration publishLimit() {
            return CONFIRM_WITHIN;
          }

          @Override
          public void close() {
            own.close();
          }
        });
  }

  @Override
  public void close() {
    transport.close();
    inbox.close();
    store.close();
    service.close();
  }
}
