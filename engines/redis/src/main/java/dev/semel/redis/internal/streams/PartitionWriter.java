package dev.semel.redis.internal.streams;

import dev.semel.StoreException;
import dev.semel.loop.internal.Loop;
import dev.semel.redis.RedisStreamsSettings;
import dev.semel.redis.internal.RedisLink;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import io.lettuce.core.RedisCommandExecutionException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes into one partition. One call is in flight at a time, and messages that arrive meanwhile
 * share the next: under load one script adds many.
 */
public final class PartitionWriter {
  /** The most messages in one call, because Redis serves nobody else while it adds them. */
  static final int MAX_BATCH = 128;

  /** The most bytes in one call, plus one message. */
  static final long MAX_BATCH_BYTES = 1 << 20;

  /** The most ids that a partition remembers, in each half of its memory. */
  static final long MAX_IDS = 4_000_000;

  private final RedisLink link;
  private final boolean waits;
  private final StreamPartition partition;
  private final byte[][] keys;
  private final List<byte[]> limits;
  private final RedisStreamsSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiting> waiting = new ArrayDeque<>(); // with the lock held
  private boolean underWay; // with the lock held

  private record Waiting(Message message, CompletableFuture<PublishResult> result) {}

  /**
   * Writes into this partition.
   *
   * @param waits whether replicas have to confirm
   */
  public PartitionWriter(
      RedisLink link, boolean waits, StreamPartition partition, RedisStreamsSettings settings) {
    this.link = link;
    this.waits = waits;
    this.partition = partition;
    this.settings = settings;
    this.keys =
        new byte[][] {
          partition.stream(), partition.ids(), partition.earlierIds(), partition.rest()
        };
    this.limits =
        List.of(
            RedisLink.ascii(settings.duplicateWindow().toMillis()),
            RedisLink.ascii(settings.maxLength()),
            RedisLink.ascii(settings.maxBytes()),
            RedisLink.ascii(MAX_IDS),
            StreamPartition.channel(partition.destination()),
            RedisLink.ascii(partition.number()));
  }

  public CompletionStage<PublishResult> publish(Message message) {
    CompletableFuture<PublishResult> result = new CompletableFuture<>();
    lock.lock();
    try {
      waiting.add(new Waiting(message, result));
      if (underWay) {
        return result;
      }
      underWay = true;
    } finally {
      lock.unlock();
    }
    sendNext();
    return result;
  }

  private void sendNext() {
    List<Waiting> batch = next();
    if (batch.isEmpty()) {
      return;
    }
    List<byte[]> arguments = new ArrayList<>(limits);
    arguments.add(RedisLink.ascii(batch.size()));
    batch.forEach(each -> arguments.add(StreamWire.bytes(each.message.id())));
    batch.forEach(each -> StreamWire.addParts(each.message, arguments));
    byte[][] all = arguments.toArray(byte[][]::new);
    if (waits) {
      Loop.beside("semel-redis-publish", () -> sendAndWait(batch, all));
      return;
    }
    CompletableFuture<?> unused =
        link.<List<Object>>start(StreamScript.APPEND, keys, all)
            .whenComplete(
                (answers, failure) ->
                    settle(batch, answers, failure == null ? null : RedisLink.cause(failure)));
  }

  private void sendAndWait(List<Waiting> batch, byte[][] arguments) {
    try {
      settle(batch, link.confirmedList(StreamScript.APPEND, keys, arguments), null);
    } catch (RuntimeException e) {
      settle(batch, null, e);
    }
  }

  private List<Waiting> next() {
    lock.lock();
    try {
      List<Waiting> batch = new ArrayList<>();
      long bytes = 0;
      while (!waiting.isEmpty() && batch.size() < MAX_BATCH && bytes < MAX_BATCH_BYTES) {
        Waiting each = waiting.remove();
        bytes += each.message.bytes();
        batch.add(each);
      }
      underWay = !batch.isEmpty();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void settle(
      List<Waiting> batch, @Nullable List<Object> answers, @Nullable Throwable failure) {
    if (answers == null) {
      fail(batch, failed(failure));
    } else {
      for (int i = 0; i < batch.size(); i++) {
        settle(batch.get(i).result, new String((byte[]) answers.get(i), StandardCharsets.US_ASCII));
      }
    }
    sendNext();
  }

  /**
   * Fails a batch. While Redis is unreachable all waiting calls fail at once, instead of one after
   * another.
   */
  private void fail(List<Waiting> batch, PublishFailed why) {
    List<Waiting> all = new ArrayList<>(batch);
    if (why.kind() == Kind.UNREACHABLE) {
      lock.lock();
      try {
        all.addAll(waiting);
        waiting.clear();
      } finally {
        lock.unlock();
      }
    }
    for (Waiting each : all) {
      each.result.completeExceptionally(
          new PublishFailed(why.kind(), String.valueOf(why.getMessage()), why));
    }
  }

  private void settle(CompletableFuture<PublishResult> result, String answer) {
    switch (answer.charAt(0)) {
      case 'a' -> result.complete(new PublishResult(false, position(answer)));
      case 'd' -> result.complete(new PublishResult(true, position(answer)));
      case 'l' -> full(result, settings.maxLength() + " messages (maxLength)");
      case 'b' -> full(result, settings.maxBytes() + " bytes (maxBytes)");
      default ->
          result.completeExceptionally(
              new PublishFailed(
                  Kind.BUSY,
                  "the partition knows %d ids, which is the limit: shorten the duplicate window, or use more partitions"
                      .formatted(MAX_IDS)));
    }
  }

  private String position(String answer) {
    return partition.number() + "/" + answer.substring(1);
  }

  private void full(CompletableFuture<PublishResult> result, String limit) {
    result.completeExceptionally(
        new PublishFailed(
            Kind.BUSY,
            "the partition holds %s that some consumer has not finished, which is the limit: let it catch up, or forget one that will never come back"
                .formatted(limit)));
  }

  private static PublishFailed failed(@Nullable Throwable failure) {
    Throwable cause = failure == null ? null : failure.getCause();
    String said = cause == null ? "" : String.valueOf(cause.getMessage());
    boolean full = cause instanceof RedisCommandExecutionException && said.startsWith("OOM");
    String message =
        failure instanceof StoreException
            ? String.valueOf(failure.getMessage())
            : "the client failed: " + failure;
    Kind kind = full ? Kind.BUSY : Kind.UNREACHABLE;
    String text = full ? "Redis has no memory left for the message. " + message : message;
    return failure == null ? new PublishFailed(kind, text) : new PublishFailed(kind, text, failure);
  }
}
