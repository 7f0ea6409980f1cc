package dev.semel.server.metrics;

import dev.semel.Key;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Three messages wait, the oldest for a minute and a half. */
final class StandingOutbox implements OutboxOperations {
  @Override
  public Status status() {
    return new Status(3, 1, 2, 4, Optional.of(Duration.ofMillis(90_500)), List.of(), List.of());
  }

  @Override
  public Page list(State state, Filter filter, String cursor, int limit) {
    return new Page(List.of(), "");
  }

  @Override
  public List<Entry> about(Key key, int limit) {
    return List.of();
  }

  @Override
  public Optional<Message> read(String destination, String id) {
    return Optional.empty();
  }

  @Override
  public boolean retry(String destination, String id, byte[] payload) {
    return false;
  }

  @Override
  public long retriable(Filter filter) {
    return 0;
  }

  @Override
  public long retry(Filter filter) {
    return 0;
  }

  @Override
  public long replay(Filter filter, boolean newIds) {
    return 0;
  }

  @Override
  public long purge(State state, Filter filter) {
    return 0;
  }
}
