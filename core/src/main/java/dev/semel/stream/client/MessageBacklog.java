package dev.semel.stream.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Appended messages that were never sent, collected into batches. */
final class MessageBacklog {
  private final boolean json;
  private final int maxBatchBytes;
  private final long linger;
  private final Deque<ProducerBatch> ready = new ArrayDeque<>();
  private @Nullable ProducerBatch open;

  MessageBacklog(boolean json, int maxBatchBytes, Duration linger) {
    this.json = json;
    this.maxBatchBytes = maxBatchBytes;
    this.linger = linger.toNanos();
  }

  /** Returns whether there may be something new to send: a batch has begun, or is full. */
  boolean add(byte[] message, @Nullable CompletableFuture<ProducerAck> future, long now) {
    if (open != null && open.size() + message.length > maxBatchBytes) {
      seal();
    }
    boolean begun = open == null;
    ProducerBatch batch = open == null ? new ProducerBatch(json, false, now) : open;
    open = batch;
    batch.add(message, future);
    if (batch.size() < maxBatchBytes) {
      return begun;
    }
    seal();
    return true;
  }

  /** Adds the last batch; nothing comes after it. */
  void addClosing(byte @Nullable [] message, CompletableFuture<ProducerAck> future, long now) {
    seal();
    ProducerBatch last = new ProducerBatch(json, true, now);
    if (message != null) {
      last.add(message, null);
    }
    last.awaitedBy(future);
    ready.add(last);
  }

  /** Ends the open batch, so that it is sent without waiting for more. */
  void seal() {
    if (open != null) {
      ready.add(open);
      open = null;
    }
  }

  /** The next batch to send, if it is time. */
  @Nullable ProducerBatch poll(long now) {
    if (ready.isEmpty() && restNanos(now) <= 0) {
      seal();
    }
    return ready.poll();
  }

  /** How long the open batch still waits for more. */
  long restNanos(long now) {
    return open == null ? Long.MAX_VALUE : linger - (now - open.since());
  }

  List<ProducerBatch> drain() {
    seal();
    List<ProducerBatch> all = new ArrayList<>(ready);
    ready.clear();
    return all;
  }
}
