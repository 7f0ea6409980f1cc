package dev.semel.outbox;

import dev.semel.InvalidInput;
import dev.semel.loop.Platform;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.PublishResult;
import dev.semel.transport.Transport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * One batch of messages on its way to the broker: many at a time, but messages of one ordering key
 * in order. If one fails, later messages with the same key stay for another batch. For one thread;
 * other threads only deliver the answers.
 */
final class PublishBatch {
  /** The owner of the batch; called on the batch's thread. */
  interface BatchOwner {
    /** Whether the owner still holds the partition; called before each message. */
    boolean maySend(int partition);

    /** The broker confirmed the message. */
    void published(OutboxEntry message, PublishResult result);

    /**
     * Called now and then while the batch waits for answers.
     *
     * @return how long to wait at most, in nanoseconds
     */
    long meanwhile(int inFlight);
  }

  /** A message that was not published. */
  record Failure(OutboxEntry message, PublishFailed reason) {}

  /** The transport's answer for one message. */
  private record Answer(
      OutboxEntry message, @Nullable PublishResult published, @Nullable Throwable failure) {}

  private final Platform platform;
  private final Transport transport;
  private final int maxInFlight;
  private final BatchOwner owner;
  private final boolean oneOfAKey;
  private final Thread me = Thread.currentThread();
  private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final Set<String> busyKeys = new HashSet<>();
  private final Set<String> stoppedKeys = new HashSet<>();
  private final Map<String, ArrayDeque<OutboxEntry>> behind = new HashMap<>();
  private final List<OutboxEntry> confirmed = new ArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private final Set<Integer> unfinished = new HashSet<>();
  private int inFlight;
  private long duplicates;
  private boolean halted;

  PublishBatch(Platform platform, Transport transport, int maxInFlight, BatchOwner owner) {
    this.platform = platform;
    this.transport = transport;
    this.maxInFlight = maxInFlight;
    this.owner = owner;
    this.oneOfAKey = !transport.keepsOrder();
  }

  /**
   * Sends all messages that may be sent, and returns when each has its answer.
   *
   * @param deadline on the machine's clock; if an answer is missing by then, the broker counts as
   *     unreachable
   */
  void run(List<OutboxEntry> batch, long deadline) {
    if (transport.allOrNone()) {
      sendTogether(batch, deadline);
    } else {
      for (OutboxEntry each : batch) {
        while (inFlight >= maxInFlight && await(deadline)) {}
        offer(each);
      }
      while (inFlight > 0 && await(deadline)) {}
    }
    behind.values().forEach(queue -> queue.forEach(this::leave));
    if (halted) {
      batch.forEach(this::leave);
    }
  }

  /** Sends up to the in-flight limit in one call, and continues after all have their answers. */
  private void sendTogether(List<OutboxEntry> batch, long deadline) {
    for (int from = 0; from < batch.size(); from += maxInFlight) {
      List<OutboxEntry> part = new ArrayList<>();
      for (OutboxEntry each : batch.subList(from, Math.min(batch.size(), from + maxInFlight))) {
        if (isStopped(each)) {
          leave(each);
        } else if (maySendNow(each)) {
          part.add(each);
        } else {
          stop(each);
        }
      }
      if (!part.isEmpty()) {
        sendAll(part);
      }
      while (inFlight > 0 && await(deadline)) {}
    }
  }

  private void sendAll(List<OutboxEntry> part) {
    List<CompletionStage<PublishResult>> stages;
    try {
      stages = transport.publishAll(part.stream().map(OutboxEntry::message).toList());
    } catch (RuntimeException e) {
      part.forEach(each -> settle(new Answer(each, null, e)));
      return;
    }
    for (int i = 0; i < part.size(); i++) {
      track(part.get(i), stages.get(i).toCompletableFuture());
    }
  }

  private void offer(OutboxEntry each) {
    String key = each.message().orderingKey();
    if (isStopped(each)) {
      leave(each);
    } else if (oneOfAKey && each.message().ordered() && busyKeys.contains(key)) {
      behind.computeIfAbsent(key, k -> new ArrayDeque<>()).add(each);
    } else {
      send(each);
    }
  }

  /** The message stays in the table. */
  private void leave(OutboxEntry each) {
    unfinished.add(each.partition());
  }

  /** The message and all later ones with its key stay. */
  private void stop(OutboxEntry each) {
    leave(each);
    stoppedKeys.add(each.message().orderingKey());
  }

  private boolean isStopped(OutboxEntry each) {
    return each.message().ordered() && stoppedKeys.contains(each.message().orderingKey());
  }

  private boolean maySendNow(OutboxEntry each) {
    return !halted && owner.maySend(each.partition());
  }

  private void send(OutboxEntry each) {
    if (inFlight >= maxInFlight || !maySendNow(each)) {
      stop(each);
      return;
    }
    CompletableFuture<PublishResult> answer;
    try {
      answer = transport.publish(each.message()).toCompletableFuture();
    } catch (RuntimeException e) {
      settle(new Answer(each, null, e));
      return;
    }
    track(each, answer);
  }

  private void track(OutboxEntry each, CompletableFuture<PublishResult> answer) {
    if (answer.isDone() && !answer.isCompletedExceptionally()) {
      settle(new Answer(each, answer.join(), null)); // without involving other threads
      return;
    }
    inFlight++;
    busyKeys.add(each.message().orderingKey());
    CompletableFuture<PublishResult> unused =
        answer.whenComplete(
            (published, failure) -> {
              answers.add(new Answer(each, published, failure));
              platform.unpark(me);
            });
  }

  /** False: the deadline passed. */
  private boolean await(long deadline) {
    long rest = Math.min(owner.meanwhile(inFlight), deadline - platform.nanos());
    if (answers.isEmpty()) {
      if (deadline - platform.nanos() <= 0) {
        halted = true;
        inFlight = 0; // later answers are ignored
        return false;
      }
      platform.park(this, Math.max(1, rest));
    }
    for (Answer each = answers.poll(); each != null; each = answers.poll()) {
      inFlight--;
      busyKeys.remove(each.message().message().orderingKey());
      settle(each);
      sendNext(each.message().message().orderingKey());
    }
    return true;
  }

  private void sendNext(String key) {
    ArrayDeque<OutboxEntry> queue = behind.get(key);
    while (queue != null && !queue.isEmpty() && !busyKeys.contains(key)) {
      OutboxEntry next = queue.remove();
      if (stoppedKeys.contains(key)) {
        leave(next);
      } else {
        send(next);
      }
    }
  }

  private void settle(Answer answer) {
    OutboxEntry message = answer.message();
    PublishResult published = answer.published();
    if (published != null) {
      confirmed.add(message);
      duplicates += published.duplicate() ? 1 : 0;
      owner.published(message, published);
      return;
    }
    PublishFailed failed = failure(answer.failure());
    failures.add(new Failure(message, failed));
    leave(message);
    if (message.message().ordered()) {
      stoppedKeys.add(message.message().orderingKey());
    }
    halted |= failed.kind() == Kind.UNREACHABLE;
  }

  /** An unexpected failure of one message must not stop the others for good. */
  private static PublishFailed failure(@Nullable Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    return switch (cause) {
      case PublishFailed e -> e;
      case InvalidInput e -> new PublishFailed(Kind.REFUSED, String.valueOf(e.getMessage()), e);
      case null -> new PublishFailed(Kind.BUSY, "the transport gave no answer");
      default -> new PublishFailed(Kind.BUSY, "the transport failed: " + cause, cause);
    };
  }

  List<OutboxEntry> confirmed() {
    return confirmed;
  }

  long duplicates() {
    return duplicates;
  }

  List<Failure> failures() {
    return failures;
  }

  /** Partitions with messages that were left. */
  Set<Integer> unfinished() {
    return unfinished;
  }

  /** The broker can't be reached. */
  boolean halted() {
    return halted;
  }
}
