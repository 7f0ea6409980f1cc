package dev.semel.alert;

import dev.semel.inbox.spi.InboxOperations;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** An inbox that counts how often all of it is read. */
public final class CountedInbox implements InboxOperations {
  private int reads;
  private long dead;

  public int reads() {
    return reads;
  }

  /** From now on the consumer {@code ledger} has so many dead letters. */
  public void dead(long letters) {
    dead = letters;
  }

  @Override
  public Status status() {
    reads++;
    return new Status(List.of(), 1).withDead(deadLetters());
  }

  @Override
  public SortedMap<String, Long> deadLetters() {
    return dead == 0 ? new TreeMap<>() : new TreeMap<>(Map.of("ledger", dead));
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
