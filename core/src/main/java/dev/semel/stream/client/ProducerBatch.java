package dev.semel.stream.client;

import dev.semel.stream.client.internal.BatchResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Messages that are sent in one request, and their progress. The producer's lock guards it. */
final class ProducerBatch {
  private static final int FIRST_BYTES = 1024;
  private static final int FIRST_MESSAGES = 8;

  private final boolean json;
  private final boolean closes;
  private final long since;
  private byte[] bytes;
  private int length;
  private int[] ends = new int[FIRST_MESSAGES];
  private int count;
  private final List<CompletableFuture<ProducerAck>> waiting = new ArrayList<>(0);

  /** Its place in the epoch. */
  long seq = FailedBatch.UNSENT;

  /** A request with it waits for its answer. */
  boolean underWay;

  /** The first sequence that was not acknowledged when it was last sent. */
  long behind;

  /** It arrived before its turn: it waits until an earlier one is in the stream. */
  boolean held;

  /** It was sent, and no answer came. */
  boolean inDoubt;

  /** Its result was reported, even if an answer is still to come. */
  boolean settled;

  /** Why the server refused it; reported when the earlier ones are in the stream. */
  BatchResult.@Nullable Refused refused;

  /**
   * @param json whether the messages become a JSON array, or one run of bytes
   * @param since when its first message was appended
   */
  ProducerBatch(boolean json, boolean closes, long since) {
    this.json = json;
    this.closes = closes;
    this.since = since;
    this.bytes = json ? new byte[FIRST_BYTES] : new byte[0];
    if (json) {
      bytes[length++] = '[';
    }
  }

  void add(byte[] message, @Nullable CompletableFuture<ProducerAck> future) {
    int needed = length + message.length + 1;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    System.arraycopy(message, 0, bytes, length, message.length);
    length += message.length;
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    ends[count++] = length;
    if (json) {
      bytes[length++] = ',';
    }
    if (future != null) {
      waiting.add(future);
    }
  }

  void awaitedBy(CompletableFuture<ProducerAck> future) {
    waiting.add(future);
  }

  /** The size of the request so far. */
  int size() {
    return length;
  }

  int count() {
    return count;
  }

  long since() {
    return since;
  }

  boolean closes() {
    return closes;
  }

  /** Call it only after the last message was added. */
  byte[] body() {
    if (count == 0) {
      return new byte[0];
    }
    if (json) {
      bytes[length - 1] = ']';
    }
    if (bytes.length != length) {
      bytes = Arrays.copyOf(bytes, length);
    }
    return bytes;
  }

  /** The memory that a message takes while it waits. */
  static long weight(byte[] message) {
    return message.length + (long) Integer.BYTES;
  }

  long weight() {
    return (json ? length - 1 - count : length) + (long) count * Integer.BYTES;
  }

  FailedBatch failed(String producer, long epoch) {
    List<byte[]> messages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      messages.add(Arrays.copyOfRange(bytes, start(i), ends[i]));
    }
    return new FailedBatch(producer, epoch, seq, List.copyOf(messages), inDoubt || underWay);
  }

  private int start(int index) {
    int gap = json ? 1 : 0; // the bracket or comma before it
    return (index == 0 ? 0 : ends[index - 1]) + gap;
  }

  /** Completes the futures of its messages. */
  void tell(SettledBatch outcome) {
    for (CompletableFuture<ProducerAck> each : waiting) {
      if (outcome.failure() == null) {
        each.complete(outcome.ack());
      } else {
        each.completeExceptionally(outcome.failure());
      }
    }
  }
}
