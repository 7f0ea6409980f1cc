package dev.semel.stream.internal.shared;

import dev.semel.StoreException;
import dev.semel.stream.StreamPath;
import dev.semel.stream.internal.ReadWaiters;
import dev.semel.stream.internal.RequestChecks;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.internal.WaiterCalls;
import dev.semel.stream.spi.SharedLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that a shared log results in so far. Only the log's messages change it, one by one, so
 * all engines that have read as far have the same state; a decision takes effect only if the log
 * accepts it.
 *
 * <p>A change may find that another path has changed in between: a fork whose source is gone, a
 * path that is still held for a fork. Then it changes nothing, on every engine. This requires that
 * no engine misses the beginning or the end of a stream: of ended streams only appends are dropped,
 * and an engine that missed one learns of the end before it makes a decision that matters.
 */
public final class SharedState {
  /** Gets the fate of its own message. */
  interface Own {
    /**
     * The message was applied; called under the guard.
     *
     * @param whole whether all of its changes took effect
     * @param unread messages with data of streams that ended
     * @return runs after the guard is released
     */
    Runnable applied(long sequence, boolean whole, List<Long> unread);
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final StreamTable table = new StreamTable();
  private final Map<Long, SharedIndex> indexes = new HashMap<>();
  private final Map<StreamPath, Long> lasts = new HashMap<>();
  private final Map<String, Own> owners = new HashMap<>();
  private final TreeMap<Long, CompletableFuture<Void>> awaited = new TreeMap<>();
  private final ReadWaiters waiters;
  private final SharedReads reads;
  private final CompletableFuture<StoreException> failed = new CompletableFuture<>();

  /** Completes when the state failed or was closed: nothing is answered any more. */
  private final CompletableFuture<StoreException> over = new CompletableFuture<>();

  private long applied;

  /**
   * @param reads gets each message before anyone can ask for its data
   */
  public SharedState(int maxWaiters, SharedReads reads) {
    this.reads = reads;
    this.waiters = new ReadWaiters(task -> guarded(task), maxWaiters);
  }

  /** Runs a task while nothing changes. */
  public <A> A guarded(Supplier<A> task) {
    lock.lock();
    try {
      return task.get();
    } finally {
      lock.unlock();
    }
  }

  void guarded(Runnable task) {
    lock.lock();
    try {
      task.run();
    } finally {
      lock.unlock();
    }
  }

  public StreamTable table() {
    return table;
  }

  public ReadWaiters waiters() {
    return waiters;
  }

  /** The index of an existing stream; under the guard. */
  public SharedIndex index(long stream) {
    return Objects.requireNonNull(indexes.get(stream), "a stream without an index");
  }

  /** The last known message of a path; under the guard. */
  long last(StreamPath path) {
    return lasts.getOrDefault(path, 0L);
  }

  /**
   * Remembers the last message of a path without a stream, which is otherwise asked for; under the
   * guard.
   */
  void learned(StreamPath path, long sequence) {
    lasts.merge(path, sequence, Math::max);
  }

  void forget(StreamPath path) {
    if (table.get(path) == null) {
      lasts.remove(path);
    }
  }

  void expect(String attempt, Own own) {
    owners.put(attempt, own);
  }

  /** False: the message has come, or was given up. Under the guard. */
  boolean giveUp(String attempt) {
    return owners.remove(attempt) != null;
  }

  public CompletableFuture<StoreException> failed() {
    return failed;
  }

  public void checkRunning() {
    StoreException failure = over.getNow(null);
    if (failure != null) {
      throw failure;
    }
  }

  /** Makes every later call fail. */
  public void stop(StoreException failure) {
    end(failure);
    failed.complete(failure);
  }

  /** Fails all waiting callers; being closed is no failure of the engine. */
  public void end(StoreException cause) {
    over.complete(cause);
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    guarded(
        () -> {
          waiting.addAll(awaited.values());
          awaited.clear();
        });
    waiting.forEach(each -> each.completeExceptionally(cause));
  }

  /** Completes when the message with this sequence, and all before it, are applied. */
  CompletableFuture<Void> reached(long sequence) {
    return guarded(
        () -> {
          StoreException failure = over.getNow(null);
          if (failure != null) {
            return CompletableFuture.failedFuture(failure);
          }
          return sequence <= applied
              ? CompletableFuture.completedFuture(null)
              : awaited.computeIfAbsent(sequence, s -> new CompletableFuture<>());
        });
  }

  public long applied() {
    return guarded(() -> applied);
  }

  public SharedLog.Checkpoint checkpoint() {
    return guarded(
        () -> new SharedLog.Checkpoint(applied, SharedCheckpoint.encode(table, indexes, lasts)));
  }

  /**
   * Starts with a checkpoint instead of the first messages.
   *
   * @return false: a program of another version left it, so the whole log must be read
   */
  public boolean restore(SharedLog.Checkpoint checkpoint) {
    if (!SharedCheckpoint.known(checkpoint.state())) {
      return false;
    }
    guarded(
        () -> {
          SharedCheckpoint.decode(checkpoint.state(), table, indexes, lasts);
          applied = checkpoint.sequence();
        });
    return true;
  }

  /** Applies the next message, unless it is known already. */
  public void take(long sequence, LogTransition message, byte[] bytes) {
    take(sequence, message, bytes, false);
  }

  /** Applies our own stored message at once, if all messages before it are known. */
  void takeNext(long sequence, LogTransition message, byte[] bytes) {
    take(sequence, message, bytes, true);
  }

  private void take(long sequence, LogTransition message, byte[] bytes, boolean onlyNext) {
    List<Runnable> calls = new ArrayList<>();
    List<CompletableFuture<Void>> passed = new ArrayList<>();
    try {
      guarded(
          () -> {
            if (sequence <= applied || (onlyNext && sequence != applied + 1)) {
              return;
            }
            reads.keep(sequence, bytes);
            apply(sequence, message, calls);
            applied = sequence;
            passed.addAll(awaited.headMap(sequence, true).values());
            awaited.headMap(sequence, true).clear();
          });
    } catch (RuntimeException e) {
      // Half of it may be applied, and no decision may be based on that.
      stop(new StoreException("message %d of the log can't be applied".formatted(sequence), e));
      throw e;
    }
    calls.forEach(WaiterCalls::one);
    passed.forEach(each -> each.complete(null));
  }

  private void apply(long sequence, LogTransition message, List<Runnable> calls) {
    List<Long> unread = new ArrayList<>();
    List<Runnable> awake = new ArrayList<>();
    boolean whole = true;
    lasts.put(message.path(), sequence);
    for (StreamChange change : message.changes()) {
      StreamChange numbered = numbered(change, sequence);
      if (fits(numbered)) {
        apply(sequence, numbered, unread);
        waiters.told(numbered, table, awake);
      } else {
        whole = false;
      }
    }
    if (table.get(message.path()) == null) {
      lasts.remove(message.path());
    } else {
      lasts.put(message.path(), sequence);
    }
    Own own = owners.remove(message.attempt());
    if (own != null) {
      calls.add(own.applied(sequence, whole, unread));
    }
    calls.addAll(awake); // writers are answered before readers wake
  }

  /** Two engines may have chosen the same number; a message's sequence is unique. */
  private static StreamChange numbered(StreamChange change, long sequence) {
    return change instanceof StreamChange.Created c
        ? new StreamChange.Created(
            sequence, c.at(), c.path(), c.config(), c.base(), c.source(), c.body(), c.closed())
        : change;
  }

  private boolean fits(StreamChange change) {
    if (!(change instanceof StreamChange.Created c)) {
      return table.incarnation(change.stream()) != null;
    }
    StreamState source = c.source() == 0 ? null : table.incarnation(c.source());
    boolean sourced = c.source() == 0 || (source != null && !source.softDeleted());
    return sourced && table.get(c.path()) == null;
  }

  private void apply(long sequence, StreamChange change, List<Long> unread) {
    Map<Long, StreamPath> before = lineage(change);
    List<Long> gone = table.apply(change);
    switch (change) {
      case StreamChange.Created c -> {
        SharedIndex source = c.source() == 0 ? null : index(c.source());
        SharedIndex index = new SharedIndex(c.base().position(), c.config().type().json(), source);
        index.add(sequence, c.body().length());
        indexes.put(c.stream(), index);
      }
      case StreamChange.Appended c -> index(c.stream()).add(sequence, c.body().length());
      case StreamChange.Closed c -> {}
      case StreamChange.Deleted c -> {}
      case StreamChange.Expired c -> {}
      case StreamChange.Touched c -> {}
      case StreamChange.Trimmed c -> {}
      case StreamChange.ProducerExpired c -> {}
      case StreamChange.ProducerFenced c -> {}
    }
    for (long incarnation : gone) {
      unread.addAll(index(incarnation).appended(incarnation));
      indexes.remove(incarnation);
      forget(Objects.requireNonNull(before.get(incarnation), "an end without a path"));
    }
  }

  /** The streams that may end with a change, with their paths. */
  private Map<Long, StreamPath> lineage(StreamChange change) {
    if (!(change instanceof StreamChange.Deleted || change instanceof StreamChange.Expired)) {
      return Map.of();
    }
    Map<Long, StreamPath> paths = new HashMap<>();
    for (StreamState s = table.incarnation(change.stream()); s != null; s = s.source()) {
      paths.put(s.incarnation(), s.path());
    }
    return paths;
  }

  /** The stream, if its callers can see it; under the guard. */
  @Nullable
  public StreamState live(StreamPath path, long now) {
    return RequestChecks.live(table, path, now).orElse(null);
  }
}
