package dev.semel.server.metrics;

import dev.semel.inbox.spi.InboxOperations;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Two consumers with three dead letters each, and those that a test adds. */
final class StandingInbox implements InboxOperations {
  private long more;
  private int reads;

  /** Adds dead letters to {@code ledger}. */
  void more(long letters) {
    more = letters;
  }

  /** Number of full readings. */
  int reads() {
    return reads;
  }

  @Override
  public Status status() {
    reads++;
    return new Status(List.of(consumer("ledger", 3 + more), consumer("mailer", 3)), 1);
  }

  private static ConsumerStatus consumer(String name, long dead) {
    return new ConsumerStatus(name, 10, Optional.empty(), 1, 2, 0, dead, Optional.empty());
  }

  @Override
  public SortedMap<String, Long> deadLetters() {
    return new TreeMap<>(Map.of("ledger", 3 + more, "mailer", 3L));
  }

  @Override
  public Page list(String consumer, State state, String cursor, int limit) {
    return new Page(List.of(), "");
  }

  @Override
  public Optional<Message> find(String consumer, String id) {
    return Optional.empty();
  }

  @Override
  public long retry(String consumer) {
    return 0;
  }

  @Override
  public boolean retry(String consumer, String id) {
    return false;
  }

  @Override
  public boolean retry(String consumer, String id, byte[] payload) {
    return false;
  }

  @Override
  public long purgeDead(String consumer) {
    return 0;
  }

  @Override
  public long old(String consumer, Duration olderThan) {
    return 0;
  }

  @Override
  public long purge(String consumer, Duration olderThan, int limit) {
    return 0;
  }

  @Override
  public boolean forget(String consumer, String id) {
    return false;
  }

  @Override
  public List<String> diagnose() {
    return List.of();
  }
}
