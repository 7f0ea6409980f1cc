package dev.semel.stream;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.journal.JournalException;
import dev.semel.loop.internal.Loop;
import dev.semel.stream.internal.ChangeDecision;
import dev.semel.stream.internal.EngineCounts;
import dev.semel.stream.internal.QueuedBytes;
import dev.semel.stream.internal.ReadWaiters;
import dev.semel.stream.internal.RequestChecks;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamStorage;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.internal.local.LocalStreamReader;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamCounts;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The order of steps in an engine that owns its data: decide, write, apply, commit, answer, wake.
 *
 * <p>One lock makes each caller in turn the writer. Appends never wait for it: a thread that finds
 * it taken leaves its appends in a queue, and the thread that holds it takes the queued ones along.
 * So many appends share one commit, and a single thread hands nothing to another. Answers and
 * wake-ups are given after the lock is free again.
 *
 * <p>Once the storage has failed, nobody can know what is safe, so every later call fails, reads
 * included.
 */
abstract sealed class LocalStreams implements Streams permits MemoryStreams, JournalStreams {
  /** How many streams a sweep checks before it lets other callers in. */
  private static final int SWEEP_AT_A_TIME = 1_000;

  private final InstantSource clock;
  private final StreamRetention retention;
  private final RequestChecks checks;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReadWaiters waiters;
  private final Queue<List<Submission>> queue = new ConcurrentLinkedQueue<>();
  private final QueuedBytes queuedBytes;
  private final CompletableFuture<StoreException> failed = new CompletableFuture<>();
  private final StreamStorage storage;
  private final EngineCounts tally = new EngineCounts();

  public LocalStreams(
      InstantSource clock, StreamLimits limits, StreamRetention retention, StreamStorage storage) {
    this.clock = clock;
    this.retention = retention;
    this.checks = new RequestChecks(limits);
    this.queuedBytes = new QueuedBytes(limits.queuedBytes());
    this.waiters = new ReadWaiters(this::locked, limits.waiters());
    this.storage = storage;
  }

  /** The state that a replay of all changes must give. */
  public final StreamTable table() {
    return storage.table();
  }

  /** Completes when the engine has failed and answers nothing any more. */
  public final CompletionStage<StoreException> failed() {
    return failed;
  }

  /** What a caller does as the writer. */
  @FunctionalInterface
  private interface Step<A> {
    A take(Turn turn);
  }

  /** One hold of the lock: the changes written in it, and the readers to wake after it. */
  private final class Turn {
    private final long now = clock.millis();
    private final List<StreamChange> written = new ArrayList<>();
    private final List<Runnable> awake = new ArrayList<>();

    void write(StreamChange change) {
      storage.write(change);
      written.add(change);
    }

    <A extends StreamResult> A write(ChangeDecision<A> decision) {
      decision.changes().forEach(this::write);
      return decision.answer();
    }

    void commit() {
      if (written.isEmpty()) {
        return;
      }
      storage.commit();
      if (written.stream().anyMatch(each -> !(each instanceof StreamChange.Touched))) {
        tally.committed(); // a touch alone is not stored
      }
      if (waiters.any()) {
        written.forEach(change -> waiters.told(change, table(), awake));
      }
    }
  }

  /** Runs a step as the writer, and commits the changes that it wrote. */
  private <A> A alone(Step<A> step) {
    List<Runnable> awake;
    A answer;
    try {
      lock.lock();
      try {
        checkRunning();
        Turn turn = new Turn();
        awake = turn.awake;
        answer = guarded(turn, step);
      } finally {
        lock.unlock();
      }
      callAll(awake);
    } finally {
      drain(); // even after a failure: another thread may rely on this one
    }
    return answer;
  }

  /** For tasks that change no stream, and must also work after a failure. */
  private void locked(Runnable task) {
    lock.lock();
    try {
      task.run();
    } finally {
      lock.unlock();
    }
    drain();
  }

  /** Commits whatever was written, also when a later part of the step had no room. */
  private <A> A guarded(Turn turn, Step<A> step) {
    try {
      return undisturbed(
          () -> {
            try {
              return step.take(turn);
            } finally {
              turn.commit();
            }
          });
    } catch (JournalException.Full | InvalidInput e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw stop(e);
    }
  }

  /**
   * Delays an interrupt until the task is done: the JDK closes a file when an interrupted thread
   * uses it, and all callers share these files.
   */
  public static <A> A undisturbed(Supplier<A> task) {
    boolean interrupted = Thread.interrupted();
    try {
      return task.get();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Makes every later call fail; returns the exception that they get. */
  public final StoreException stop(Throwable cause) {
    StoreException failure =
        cause instanceof StoreException s
            ? s
            : new StoreException("the streams have stopped: " + cause, cause);
    failed.complete(failure);
    return failure;
  }

  private void checkRunning() {
    StoreException failure = failed.getNow(null);
    if (failure != null) {
      throw failure;
    }
  }

  private <A> CompletionStage<A> stage(Step<A> step) {
    try {
      return CompletableFuture.completedFuture(alone(step));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A call that fails must not keep the others waiting forever. */
  private static void callAll(List<Runnable> calls) {
    RuntimeException failed = null;
    for (Runnable call : calls) {
      try {
        call.run();
      } catch (RuntimeException e) {
        failed = failed == null ? e : failed;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  @Override
  public final CompletionStage<StreamResult.ToCreate> create(CreateRequest request) {
    try {
      scan(request);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
    return stage(
        turn -> {
          Optional<StreamResult.Busy> busy = storage.busy();
          if (busy.isPresent()) {
            return busy.get();
          }
          try {
            return turn.write(checks.create(table(), request, storage, turn.now));
          } catch (JournalException.Full e) {
            return new StreamResult.NoRoom();
          }
        });
  }

  /** Parses the messages before the lock is taken; a fork has its source's type. */
  private void scan(CreateRequest request) {
    if (request.body().length() == 0) {
      return;
    }
    boolean json =
        request.type().isPresent()
            ? request.type().get().json()
            : request.fork().isPresent()
                && alone(
                    turn -> {
                      StreamState source = table().get(request.fork().get().source());
                      return source != null && source.config().type().json();
                    });
    if (json) {
      AppendBody unused = request.body().as(ContentType.JSON);
    }
  }

  @Override
  public final void append(List<Submission> batch) {
    if (queuedBytes.take(batch)) {
      queue.add(batch);
      drain();
    }
  }

  /** Takes queued appends, as long as no other thread does. */
  private void drain() {
    RuntimeException broken = null;
    while (!queue.isEmpty() && lock.tryLock()) {
      AppendCommit round = new AppendCommit();
      try {
        round.run();
      } finally {
        lock.unlock();
      }
      try {
        round.answer();
      } catch (RuntimeException e) {
        broken = broken == null ? e : broken; // later appends still wait
      }
    }
    if (broken != null) {
      throw broken;
    }
  }

  /** The commit of all appends that were queued at some moment, and their answers. */
  private final class AppendCommit {
    private final List<Submission> all = new ArrayList<>();
    private StreamResult.ToAppend[] answers = {};
    private List<Runnable> awake = List.of();
    private @Nullable StoreException failure;

    void run() {
      for (List<Submission> batch = queue.poll(); batch != null; batch = queue.poll()) {
        all.addAll(batch);
      }
      answers = new StreamResult.ToAppend[all.size()];
      try {
        checkRunning();
        Turn turn = new Turn();
        guarded(turn, t -> appendAll(t, all, answers));
        awake = turn.awake;
        for (int i = 0; i < answers.length; i++) {
          tally.answered(all.get(i).request(), answers[i]);
        }
      } catch (StoreException e) {
        failure = e;
      } finally {
        queuedBytes.release(all);
      }
    }

    /** Answers writers before it wakes readers. */
    void answer() {
      RuntimeException broken = null;
      for (int i = 0; i < answers.length; i++) {
        try {
          tell(all.get(i), answers[i]);
        } catch (RuntimeException e) {
          broken = broken == null ? e : broken;
        }
      }
      callAll(awake);
      if (broken != null) {
        throw broken;
      }
    }

    private void tell(Submission one, StreamResult.ToAppend answer) {
      StoreException e = failure;
      if (e == null) {
        one.answered(answer);
      } else {
        one.failed(e);
      }
    }
  }

  private int appendAll(Turn turn, List<Submission> all, StreamResult.ToAppend[] answers) {
    StreamResult.Busy busy = storage.busy().orElse(null);
    for (int i = 0; i < answers.length; i++) {
      answers[i] = busy == null ? appendOne(turn, all.get(i)) : busy;
    }
    return answers.length;
  }

  private StreamResult.ToAppend appendOne(Turn turn, Submission each) {
    try {
      return turn.write(checks.append(table(), each.path(), each.request(), turn.now));
    } catch (JournalException.Full e) {
      return new StreamResult.NoRoom();
    } catch (InvalidInput e) {
      return new StreamResult.Malformed(String.valueOf(e.getMessage())); // fails alone
    }
  }

  @Override
  public final CompletionStage<StreamResult.ToDelete> delete(StreamPath path) {
    return stage(turn -> turn.write(checks.delete(table(), path, turn.now)));
  }

  @Override
  public final CompletionStage<StreamResult.ToHead> head(StreamPath path) {
    return stage(turn -> checks.head(table(), path, turn.now));
  }

  @Override
  public final CompletionStage<StreamResult.ToRead> read(
      StreamPath path, ReadFrom from, int maxBytes) {
    return read(path, from, maxBytes, false);
  }

  @Override
  public final CompletionStage<StreamResult.ToRead> readToSend(
      StreamPath path, ReadFrom from, int maxBytes) {
    return read(path, from, maxBytes, true);
  }

  private CompletionStage<StreamResult.ToRead> read(
      StreamPath path, ReadFrom from, int maxBytes, boolean toSend) {
    try {
      Supplier<StreamResult.ToRead> found = alone(turn -> find(turn, path, from, maxBytes, toSend));
      if (found instanceof LocalStreamReader.LongRead) {
        return beside(found);
      }
      return CompletableFuture.completedFuture(undisturbed(found));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static CompletionStage<StreamResult.ToRead> beside(Supplier<StreamResult.ToRead> found) {
    CompletableFuture<StreamResult.ToRead> answer = new CompletableFuture<>();
    Loop.beside(
        "semel-read",
        () -> {
          try {
            answer.complete(undisturbed(found));
          } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private Supplier<StreamResult.ToRead> find(
      Turn turn, StreamPath path, ReadFrom from, int maxBytes, boolean toSend) {
    return switch (checks.head(table(), path, turn.now)) {
      case StreamResult.Missing m -> () -> m;
      case StreamResult.Gone g -> () -> g;
      case StreamResult.Found f -> {
        touched(turn, path);
        yield storage.read(f.head(), from, Math.max(1, maxBytes), toSend);
      }
    };
  }

  private boolean touched(Turn turn, StreamPath path) {
    StreamState state = live(turn, path);
    if (state != null) {
      RequestChecks.touch(state, turn.now).ifPresent(turn::write);
    }
    return state != null;
  }

  private @Nullable StreamState live(Turn turn, StreamPath path) {
    return RequestChecks.live(table(), path, turn.now).orElse(null);
  }

  @Override
  public final CompletionStage<Boolean> touch(StreamPath path) {
    return stage(turn -> touched(turn, path));
  }

  @Override
  public final Optional<Waiting> await(StreamPath path, Offset beyond, Runnable wake) {
    return alone(
        turn -> {
          StreamResult.ToHead there = checks.head(table(), path, turn.now);
          if (there instanceof StreamResult.Found f
              && !f.head().closed()
              && f.head().tail().compareTo(beyond) <= 0) {
            return waiters.add(f.head().incarnation(), beyond.position(), wake);
          }
          turn.awake.add(wake);
          return Optional.of(() -> {});
        });
  }

  @Override
  public final CompletionStage<List<StreamResult.Producer>> producers(StreamPath path) {
    return stage(
        turn -> {
          StreamState state = live(turn, path);
          return state == null ? List.of() : state.producers();
        });
  }

  @Override
  public final CompletionStage<Boolean> fence(
      StreamPath path, String id, boolean managed, long epoch) {
    return stage(
        turn -> {
          Optional<StreamChange> change =
              RequestChecks.live(table(), path, turn.now)
                  .flatMap(s -> RequestChecks.fence(s, id, managed, epoch, turn.now));
          change.ifPresent(turn::write);
          return change.isPresent();
        });
  }

  @Override
  public final Optional<StreamCounts> counts() {
    return Optional.of(alone(turn -> tally.with(table().callersSize(), storage.journalBytes())));
  }

  @Override
  public final CompletionStage<List<StreamHead>> list(String prefix, String after, int limit) {
    return stage(turn -> table().list(prefix, after, limit, turn.now));
  }

  /** Sweeps some streams at a time, so that other callers don't wait long. */
  @Override
  public final CompletionStage<Integer> sweep() {
    try {
      List<StreamPath> paths =
          alone(turn -> table().all().stream().map(StreamState::path).collect(Collectors.toList()));
      int changed = 0;
      for (int i = 0; i < paths.size(); i += SWEEP_AT_A_TIME) {
        List<StreamPath> some = paths.subList(i, Math.min(paths.size(), i + SWEEP_AT_A_TIME));
        changed += alone(turn -> sweep(turn, some));
      }
      return CompletableFuture.completedFuture(changed);
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private int sweep(Turn turn, List<StreamPath> paths) {
    int changed = 0;
    for (StreamPath path : paths) {
      StreamState state = table().get(path);
      List<StreamChange> due = state == null ? List.of() : due(state, turn.now);
      for (StreamChange change : due) {
        changed += swept(turn, change) ? 1 : 0;
      }
    }
    return changed;
  }

  /** On a nearly full disk, a sweep must still reach the changes that free space. */
  private static boolean swept(Turn turn, StreamChange change) {
    try {
      turn.write(change);
      return true;
    } catch (JournalException.Full e) {
      if (change instanceof StreamChange.ProducerExpired) {
        return false; // due again at the next sweep
      }
      throw e;
    }
  }

  private List<StreamChange> due(StreamState state, long now) {
    List<StreamChange> due = new ArrayList<>(checks.due(state, now));
    // A reserved stream belongs to the server, which needs all of it.
    if (state.expired(now) || state.path().isReserved()) {
      return due;
    }
    OptionalLong start = storage.keptFrom(state, retention, now);
    start.ifPresent(
        s -> due.add(new StreamChange.Trimmed(state.incarnation(), now, new Offset(s))));
    return due;
  }

  /** Runs a task while nothing changes; for checkpoints and closing. */
  public final <A> A quietly(Supplier<A> task) {
    return alone(turn -> task.get());
  }
}
