package dev.semel.transport.spi;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a subscription has fetched and its taker has not finished, for transports whose
 * partitions have one reader at a time. It hands messages out in order by key, hands them out again
 * if they are not acknowledged in time or must be retried, and knows how far each partition is
 * finished. A message to be retried holds back only its own key, until the partition's room is
 * full.
 *
 * <p>For one thread, except for {@link Delivery#extend}.
 */
public final class PartitionBuffer {
  /** How many messages of a partition are kept after an unfinished one. */
  public static final int MAX_KEPT_PER_PARTITION = 1000;

  /** The limit in bytes of payloads; one message more may be kept. */
  public static final long MAX_BYTES_PER_PARTITION = 8 << 20;

  /** The subscription that hands out these messages. */
  @FunctionalInterface
  public interface BufferOwner {
    /**
     * These messages are finished; acknowledges them at the broker, if it keeps acknowledgements.
     *
     * @throws StoreException the broker did not confirm that
     */
    void finished(List<LogPosition> places);

    /**
     * A taker acknowledges a single delivery.
     *
     * @throws StoreException as {@link Subscription#acknowledge} says
     */
    default void acknowledge(PartitionBuffer buffer, Delivery alone) {
      buffer.acknowledge(List.of(alone));
    }

    /** A taker retries or extends a delivery: the task changes this buffer. */
    default void change(Runnable wish) {
      wish.run();
    }
  }

  private final Platform platform;
  private final SubscribeSettings settings;
  private final boolean placed;
  private final BufferOwner owner;
  private final Map<String, Partition> partitions = new LinkedHashMap<>();
  private int out;
  private int turn;
  private long lastTake;

  /**
   * Starts without partitions.
   *
   * @param placed whether deliveries have positions, because their taker keeps the positions
   */
  public PartitionBuffer(
      Platform platform, SubscribeSettings settings, boolean placed, BufferOwner owner) {
    this.platform = platform;
    this.settings = settings;
    this.placed = placed;
    this.owner = owner;
    this.lastTake = platform.nanos();
  }

  private static final class Partition {
    private final ArrayDeque<Kept> kept = new ArrayDeque<>();
    private String reached;
    private String fetched;
    private long bytes;
    private volatile boolean dropped;

    Partition(String position) {
      this.reached = position;
      this.fetched = position;
    }
  }

  /** A message; once finished, only its position. */
  private static final class Kept {
    private final Partition partition;
    private final LogPosition place;
    private @Nullable Message message;
    private long attempts;

    /** The delivery that is out, if any. */
    private volatile @Nullable Handed taker;

    /** While it is out: when it comes again. Else: not before this time. */
    private volatile long due;

    Kept(Partition partition, LogPosition place, Message message, long attempts, long due) {
      this.partition = partition;
      this.place = place;
      this.message = message;
      this.attempts = attempts;
      this.due = due;
    }
  }

  /** Reads this partition from that position on; discards what was here of it. */
  public void open(String partition, String position) {
    drop(partition);
    partitions.put(partition, new Partition(position));
  }

  /** Other members read this partition now: its deliveries can't be acknowledged any more. */
  public void drop(String name) {
    Partition partition = partitions.remove(name);
    if (partition != null) {
      partition.dropped = true;
      partition.kept.forEach(each -> out -= each.taker == null ? 0 : 1);
    }
  }

  public Set<String> partitions() {
    return Set.copyOf(partitions.keySet());
  }

  /** Whether to fetch more of this partition. */
  public boolean hasRoom(String name) {
    Partition partition = partitions.get(name);
    return partition != null
        && partition.kept.size() < MAX_KEPT_PER_PARTITION
        && partition.bytes < MAX_BYTES_PER_PARTITION;
  }

  /** The position to fetch from. */
  public String fetched(String name) {
    return partition(name).fetched;
  }

  /** Everything before this position is finished. */
  public String reached(String name) {
    return partition(name).reached;
  }

  /** Whether no taker has a message of it. */
  public boolean isIdle(String name) {
    Partition partition = partitions.get(name);
    return partition == null || partition.kept.stream().allMatch(each -> each.taker == null);
  }

  /** How many of its messages are here and not acknowledged. */
  public int unfinished(String name) {
    return (int) partition(name).kept.stream().filter(each -> each.message != null).count();
  }

  private Partition partition(String name) {
    Partition partition = partitions.get(name);
    if (partition == null) {
      throw new IllegalArgumentException("the partition is not open");
    }
    return partition;
  }

  /** Adds the next message of a partition; positions without a message may lie before it. */
  public void add(String partition, String next, Message message) {
    add(partition, next, message, 0);
  }

  /**
   * Adds a message that the broker has delivered before.
   *
   * @param attempts how often
   */
  public void add(String name, String next, Message message, long attempts) {
    Partition partition = partition(name);
    LogPosition place = new LogPosition(name, partition.fetched, next);
    partition.kept.add(new Kept(partition, place, message, attempts, platform.nanos()));
    partition.fetched = next;
    partition.bytes += message.payload().length;
  }

  /** Hands out the messages that may go now. */
  public List<Delivery> take(int limit) {
    long now = platform.nanos();
    lastTake = now;
    List<Delivery> taken = new ArrayList<>();
    List<Partition> all = new ArrayList<>(partitions.values());
    for (int i = 0; i < all.size(); i++) {
      take(all.get((turn + i) % all.size()), limit, now, taken);
    }
    turn++;
    return taken;
  }

  /**
   * Each taken message moves its partition on from the one taken before it, past finished ones.
   * After one that was neither taken nor finished, a message moves nothing, but still has the
   * partition's position.
   */
  private void take(Partition partition, int limit, long now, List<Delivery> taken) {
    Set<String> blocked = new HashSet<>();
    String at = partition.reached;
    @Nullable Handed last = null;
    boolean whole = true;
    for (Kept each : partition.kept) {
      Message message = each.message;
      if (message == null) {
        if (whole && last != null) {
          at = each.place.next();
          last.place = new LogPosition(each.place.partition(), last.place.from(), at);
        }
        continue;
      }
      if (!blocked.contains(message.orderingKey()) && mayGo(each, limit - taken.size(), now)) {
        String next = whole ? each.place.next() : at;
        last = hand(each, message, new LogPosition(each.place.partition(), at, next), now);
        taken.add(last);
        at = next;
        if (message.ordered() && !settings.runs()) {
          blocked.add(message.orderingKey());
        }
      } else {
        whole = false;
        if (message.ordered()) {
          blocked.add(message.orderingKey());
        }
      }
    }
  }

  private boolean mayGo(Kept each, int room, long now) {
    boolean due = each.due - now <= 0;
    if (due && each.taker != null) {
      each.taker = null;
      out--;
    }
    return due && room > 0 && out < settings.maxUnacknowledged();
  }

  private Handed hand(Kept each, Message message, LogPosition place, long now) {
    each.attempts++;
    each.due = now + settings.ackWithin().toNanos();
    Handed handed = new Handed(each, message, place, each.attempts);
    each.taker = handed;
    out++;
    return handed;
  }

  /**
   * How long until a message becomes due that was not due at the last take; at most {@code most}. A
   * message that was due then and did not go waits for something else: an acknowledgement, or an
   * earlier message of its key.
   */
  public long nanosUntilDue(long most) {
    long now = platform.nanos();
    long soonest = most;
    for (Partition partition : partitions.values()) {
      for (Kept each : partition.kept) {
        if (each.message != null && each.due - lastTake > 0) {
          soonest = Math.min(soonest, Math.max(0, each.due - now));
        }
      }
    }
    return soonest;
  }

  /**
   * Acknowledges these deliveries, which came from here; as {@link Subscription#acknowledge} says.
   */
  public void acknowledge(List<Delivery> deliveries) {
    List<LogPosition> finished = new ArrayList<>();
    boolean late = false;
    for (Delivery delivery : deliveries) {
      if (!(delivery instanceof Handed handed)) {
        throw new IllegalArgumentException("the message was received from another subscription");
      }
      Kept kept = handed.kept;
      late |= kept.partition.dropped;
      if (!kept.partition.dropped && kept.message != null) {
        finish(kept);
        finished.add(kept.place);
      }
    }
    owner.finished(finished);
    if (late) {
      throw new StoreException(
          "another reads that partition now, and may deliver the message again");
    }
  }

  private void finish(Kept kept) {
    Partition partition = kept.partition;
    Message message = kept.message;
    partition.bytes -= message == null ? 0 : message.payload().length;
    kept.message = null;
    out -= kept.taker == null ? 0 : 1;
    kept.taker = null;
    while (!partition.kept.isEmpty() && partition.kept.getFirst().message == null) {
      partition.reached = partition.kept.removeFirst().place.next();
    }
  }

  private final class Handed implements Delivery {
    private final Kept kept;
    private final Message message;
    private final long attempt;
    private LogPosition place;

    Handed(Kept kept, Message message, LogPosition place, long attempt) {
      this.kept = kept;
      this.message = message;
      this.place = place;
      this.attempt = attempt;
    }

    @Override
    public Message message() {
      return message;
    }

    @Override
    public Optional<LogPosition> place() {
      return placed ? Optional.of(place) : Optional.empty();
    }

    @Override
    public long attempt() {
      return attempt;
    }

    @Override
    public void acknowledge() {
      owner.acknowledge(PartitionBuffer.this, this);
    }

    @Override
    public void retry(Duration pause) {
      owner.change(
          () -> {
            if (isStillOut()) {
              kept.taker = null;
              kept.due = platform.nanos() + pause.toNanos();
              out--;
            }
          });
    }

    @Override
    public void extend() {
      owner.change(
          () -> {
            if (isStillOut()) {
              kept.due = platform.nanos() + settings.ackWithin().toNanos();
            }
          });
    }

    /** Whether the message is still out and was not handed out again since. */
    private boolean isStillOut() {
      return kept.taker == this && !kept.partition.dropped;
    }
  }
}
