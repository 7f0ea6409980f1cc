package dev.semel.redis.internal.streams;

import dev.semel.StoreException;
import dev.semel.redis.internal.RedisLink;
import dev.semel.redis.internal.streams.PartitionLeases.HeldLease;
import dev.semel.transport.Message;
import dev.semel.transport.spi.PartitionBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The progress of reading one partition during one lease. For one thread. */
public final class PartitionReading {
  /** The position before Redis's first entry. */
  public static final String START = "0-0";

  /** The most entries in one answer. */
  static final int MAX_PER_FETCH = 256;

  /** The target size of an answer, judged by the largest message of the last one. */
  static final int BYTES_PER_FETCH = 2 << 20;

  /** The number of entries while their size is unknown. */
  private static final int FIRST_FETCH = 16;

  private static final String NO_GROUP = "NOGROUP";

  private final RedisLink link;
  private final byte[] group;
  private final HeldLease heldLease;
  private final byte[][] keys;

  /** Where to continue with the predecessor's unfinished entries; null: none are left. */
  private @Nullable String claimFrom = START;

  /** The last entry received, whether finished or not. */
  private String known = START;

  private final List<byte[]> owed = new ArrayList<>();
  private int kept;
  private int perFetch = FIRST_FETCH;
  private long lookAt;
  private boolean rests;
  private boolean leaving;
  private int paying;

  /** An unfinished entry. */
  record Entry(String id, Message message, long deliveries) {}

  /** The received entries, or that another reader has the partition now. */
  record Fetched(boolean lost, List<Entry> entries) {}

  PartitionReading(RedisLink link, String consumer, HeldLease heldLease) {
    this.link = link;
    this.group = RedisLink.ascii(consumer);
    this.heldLease = heldLease;
    StreamPartition partition = heldLease.partition();
    this.keys = new byte[][] {partition.stream(), partition.lease(consumer), partition.rest()};
  }

  HeldLease heldLease() {
    return heldLease;
  }

  String name() {
    return heldLease.partition().name();
  }

  /** Whether to hand the partition over once nothing is in flight. */
  void leaving(boolean value) {
    leaving = value;
  }

  /** Whether no entry is here, and none of a predecessor's is left to read. */
  boolean isDrained(PartitionBuffer buffer) {
    return owed.isEmpty() && buffer.reached(name()).equals(buffer.fetched(name()));
  }

  /** Whether to fetch more now. */
  boolean wants(long now, int enough) {
    return !leaving && kept < enough && (!rests || lookAt - now <= 0);
  }

  /** Handles a ring of the bell. */
  void wake() {
    rests = false;
  }

  long restsFor(long now) {
    return rests && !leaving ? Math.max(0, lookAt - now) : StreamReader.LOOK_EVERY.toNanos();
  }

  CompletableFuture<List<Object>> ask(int limit) {
    byte[] count = RedisLink.ascii(Math.min(perFetch, Math.max(1, 2 * limit)));
    if (claimFrom != null) {
      return link.start(
          StreamScript.CLAIM,
          new byte[][] {keys[0], keys[1]},
          group,
          heldLease.token(),
          RedisLink.ascii(claimFrom),
          count);
    }
    return link.start(
        StreamScript.FETCH,
        keys,
        group,
        heldLease.token(),
        count,
        RedisLink.ascii(StreamReader.LOOK_EVERY.multipliedBy(4).toMillis()),
        RedisLink.ascii(known));
  }

  /**
   * Waits for Redis's answer.
   *
   * @throws StoreException Redis did not answer
   */
  Fetched fetched(CompletableFuture<List<Object>> sent, long now) {
    List<Object> answer;
    try {
      answer = link.finish(sent);
    } catch (StoreException e) {
      if (String.valueOf(e.getMessage()).contains(NO_GROUP)) {
        // Redis lost the group, as after a kill. Everything is redelivered, under a new lease.
        link.finish(link.<Long>start(StreamScript.GROUP, new byte[][] {keys[0]}, group));
        return new Fetched(true, List.of());
      }
      throw e;
    }
    if (answer.isEmpty()) {
      return new Fetched(true, List.of());
    }
    boolean claimed = claimFrom != null;
    if (claimed) {
      String next = text(answer.get(0));
      claimFrom = next.equals(START) ? null : next;
    }
    List<Entry> entries = entries((List<?>) answer.get(claimed ? 1 : 0));
    rests = !claimed && entries.isEmpty();
    lookAt = now + StreamReader.LOOK_EVERY.toNanos();
    kept += entries.size();
    return new Fetched(false, entries);
  }

  private List<Entry> entries(List<?> found) {
    List<Entry> entries = new ArrayList<>();
    long largest = BYTES_PER_FETCH / MAX_PER_FETCH;
    for (Object each : found) {
      List<?> parts = (List<?>) each;
      String id = text(parts.get(0));
      Message message = StreamWire.message(heldLease.partition(), id, (List<?>) parts.get(1));
      largest = Math.max(largest, message.bytes());
      entries.add(new Entry(id, message, parts.size() > 2 ? (Long) parts.get(2) : 0));
    }
    if (!entries.isEmpty()) {
      known = entries.getLast().id();
      perFetch = (int) Math.max(1, BYTES_PER_FETCH / largest);
    }
    return entries;
  }

  private static String text(Object ascii) {
    return new String((byte[]) ascii, StandardCharsets.US_ASCII);
  }

  /** Marks the entry as finished; Redis must still be informed. */
  void owe(String entry) {
    owed.add(RedisLink.ascii(entry));
  }

  boolean owes() {
    return !owed.isEmpty();
  }

  CompletableFuture<Long> pay() {
    List<byte[]> arguments = new ArrayList<>(List.of(group, heldLease.token()));
    arguments.addAll(owed);
    paying = owed.size();
    return link.start(
        StreamScript.ACKNOWLEDGE,
        new byte[][] {keys[0], keys[1]},
        arguments.toArray(byte[][]::new));
  }

  /**
   * Handles the answer to an acknowledgement.
   *
   * @return false when another reader has the partition
   */
  boolean paid(CompletableFuture<Long> sent) {
    if (link.finish(sent) != 1) {
      return false;
    }
    owed.subList(0, paying).clear();
    kept -= paying;
    return true;
  }
}
