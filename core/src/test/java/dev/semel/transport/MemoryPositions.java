package dev.semel.transport;

import dev.semel.StoreException;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PositionMoved;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/** Positions of one consumer on a clock of the test's, whose answers may be lost. */
public final class MemoryPositions implements ConsumerPositions {
  private record Lease(String member, long until) {}

  private final LongSupplier clock;
  private final Map<String, String> stands = new HashMap<>();
  private final Map<String, Long> members = new HashMap<>();
  private final Map<String, Lease> leases = new TreeMap<>();

  /** The next calls fail, after they took effect. */
  boolean answersAreLost;

  /** The next calls fail, and nothing happens. */
  public boolean away;

  /** How long an answer takes. */
  public Runnable onShare = () -> {};

  public MemoryPositions(LongSupplier clock) {
    this.clock = clock;
  }

  private void before() {
    if (away) {
      throw new StoreException("the database is away");
    }
  }

  private void after() {
    if (answersAreLost) {
      throw new StoreException("the answer was lost");
    }
  }

  @Override
  public Map<String, String> read(String consumer, Set<String> partitions) {
    before();
    Map<String, String> found = new HashMap<>();
    partitions.forEach(partition -> found.put(partition, stands.getOrDefault(partition, "")));
    after();
    return found;
  }

  @Override
  public void advance(String consumer, List<LogPosition> steps) {
    before();
    for (LogPosition step : steps) {
      if (!stands.getOrDefault(step.partition(), "").equals(step.from())) {
        throw new PositionMoved(step + " but " + stands.get(step.partition()));
      }
    }
    steps.forEach(step -> stands.put(step.partition(), step.next()));
    after();
  }

  @Override
  public Share share(String consumer, String member, Set<String> partitions, Duration lease) {
    before();
    long now = clock.getAsLong();
    long until = now + lease.toNanos();
    members.put(member, until);
    int living = (int) members.values().stream().filter(each -> each > now).count();
    Set<String> mine = new TreeSet<>();
    for (String partition : new TreeSet<>(partitions)) {
      if (isOf(member, partition)) {
        mine.add(partition);
      }
    }
    int fair = new Share(living, Set.of()).of(partitions.size());
    for (String partition : new TreeSet<>(partitions)) {
      Lease held = leases.get(partition);
      if (mine.size() < fair && !mine.contains(partition) && (held == null || held.until <= now)) {
        mine.add(partition);
      }
    }
    mine.forEach(partition -> leases.put(partition, new Lease(member, until)));
    onShare.run();
    after();
    return new Share(living, mine);
  }

  private boolean isOf(String member, String partition) {
    Lease held = leases.get(partition);
    return held != null && held.member.equals(member);
  }

  @Override
  public void release(String consumer, String member, Set<String> partitions) {
    before();
    partitions.stream()
        .filter(partition -> isOf(member, partition))
        .toList()
        .forEach(leases::remove);
    after();
  }

  @Override
  public void leave(String consumer, String member) {
    before();
    leases.values().removeIf(lease -> lease.member.equals(member));
    members.remove(member);
    after();
  }
}
