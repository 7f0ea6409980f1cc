package dev.semel.stream.internal.shared;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.stream.StreamPath;
import dev.semel.stream.internal.RequestChecks;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.spi.SharedLog;
import dev.semel.stream.spi.SharedLog.Put;
import dev.semel.stream.spi.Streams;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Decides on the state of the log, sends the decision as a message, and finds out its fate. Per
 * path, one message is in flight; everything that waits meanwhile goes into the next.
 *
 * <p>A message that was refused or whose fate is unknown is looked up by its attempt's id. As long
 * as the last message of its path is the one that it was sent after, it may still arrive, and the
 * same bytes are sent again: the log refuses one of the two. Once another message stands there,
 * ours came before that and we have seen it, or it never will; only then is anything decided again.
 */
public final class SharedWriter {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** The rounds that wait for one path, in order. */
  private static final class Line {
    private final Deque<WriteRound> waiting = new ArrayDeque<>();
    private boolean busy;
  }

  private final SharedLog log;
  private final SharedState state;
  private final ReadBarrier barrier;
  private final RequestChecks checks;
  private final int maxBytes;
  private final Map<StreamPath, Line> lines = new HashMap<>();
  private final Set<LogWrite> underWay = new HashSet<>();

  public SharedWriter(SharedLog log, SharedState state, ReadBarrier barrier, RequestChecks checks) {
    this.log = log;
    this.state = state;
    this.barrier = barrier;
    this.checks = checks;
    this.maxBytes = log.maxBytes() - LogTransition.OVERHEAD;
  }

  public void append(List<Streams.Submission> batch) {
    Set<StreamPath> paths = new HashSet<>();
    state.guarded(
        () -> {
          for (Streams.Submission each : batch) {
            add(line(each.path()), each);
            paths.add(each.path());
          }
        });
    paths.forEach(this::next);
  }

  /** Adds it to the appends right before it, if they fit into one message. */
  private void add(Line line, Streams.Submission append) {
    if (!(line.waiting.peekLast() instanceof WriteRound.Appends last && last.add(append))) {
      WriteRound.Appends next = new WriteRound.Appends(checks, maxBytes);
      next.add(append);
      line.waiting.add(next);
    }
  }

  public <A> CompletableFuture<A> submit(StreamPath path, WriteRound.Single<A> round) {
    state.guarded(() -> line(path).waiting.add(round));
    next(path);
    return round.answer();
  }

  private Line line(StreamPath path) {
    return lines.computeIfAbsent(path, p -> new Line());
  }

  /** Starts the next round of a path, if none is in flight. */
  private void next(StreamPath path) {
    WriteRound round =
        state.guarded(
            () -> {
              Line line = lines.get(path);
              if (line == null || line.busy) {
                return null;
              }
              WriteRound taken = line.waiting.poll();
              line.busy = taken != null;
              if (taken == null) {
                lines.remove(path);
              }
              return taken;
            });
    if (round != null) {
      decide(path, round, false);
    }
  }

  private void done(StreamPath path) {
    state.guarded(() -> line(path).busy = false);
    next(path);
  }

  /**
   * @param current whether the log confirmed that we know all of it. An accepted message proves
   *     that; a decision without changes must ask.
   */
  private void decide(StreamPath path, WriteRound round, boolean current) {
    Runnable go;
    try {
      state.checkRunning();
      go = state.guarded(() -> decided(path, round, current));
    } catch (StoreException e) {
      failed(path, round, e);
      return;
    } catch (RuntimeException e) {
      failed(path, round, new StoreException("an append or another change failed: " + e, e));
      return;
    }
    go.run();
  }

  private Runnable decided(StreamPath path, WriteRound round, boolean current) {
    List<StreamChange> changes = round.decide(state, log.clock().millis());
    if (changes.isEmpty()) {
      if (!current) {
        return () -> afterBarrier(path, round);
      }
      Runnable answers = round.decided();
      return () -> {
        answers.run();
        done(path);
      };
    }
    String id = Ids.uuid7().toString();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    LogWrite attempt =
        new LogWrite(new LogTransition(path, id, changes), state.last(path), round, deadline);
    int bytes = attempt.message().length;
    if (bytes > log.maxBytes()) {
      throw new StoreException("a change of %d bytes does not fit".formatted(bytes));
    }
    state.expect(id, (sequence, whole, unread) -> applied(attempt, whole, unread));
    underWay.add(attempt);
    return () -> send(attempt);
  }

  private void afterBarrier(StreamPath path, WriteRound round) {
    CompletionStage<Void> unused =
        barrier
            .pass()
            .whenComplete(
                (passed, failure) -> {
                  if (failure == null) {
                    decide(path, round, true);
                  } else {
                    failed(path, round, ReadBarrier.unwrap(failure));
                  }
                });
  }

  private void failed(StreamPath path, WriteRound round, StoreException cause) {
    round.failed(cause);
    done(path);
  }

  /** Our message is in the log; called under the guard. */
  private Runnable applied(LogWrite attempt, boolean whole, List<Long> unread) {
    underWay.remove(attempt);
    Runnable answers = whole ? attempt.round().decided() : null;
    return () -> {
      if (!unread.isEmpty()) {
        log.drop(unread);
      }
      if (answers == null) {
        decide(attempt.path(), attempt.round(), false);
        return;
      }
      answers.run();
      done(attempt.path());
    };
  }

  private void send(LogWrite attempt) {
    log.put(attempt.path(), attempt.expected(), attempt.message())
        .whenComplete(
            (put, failure) -> {
              if (failure != null) {
                attempt.doubt();
                later(attempt, () -> send(attempt));
                return;
              }
              switch (put) {
                case Put.Stored stored ->
                    state.takeNext(stored.sequence(), attempt.what(), attempt.message());
                case Put.Refused refused -> resolve(attempt);
                case Put.Full full -> full(attempt);
              }
            });
  }

  /** Nothing was written, except by an earlier try, which may be what filled the log. */
  private void full(LogWrite attempt) {
    if (attempt.doubtful()) {
      later(attempt, () -> send(attempt));
      return;
    }
    boolean never =
        state.guarded(
            () -> {
              underWay.remove(attempt);
              return state.giveUp(attempt.id());
            });
    if (never) {
      attempt.round().full();
      done(attempt.path());
    }
  }

  private void later(LogWrite attempt, Runnable step) {
    CompletableFuture.delayedExecutor(PAUSE.toNanos(), TimeUnit.NANOSECONDS)
        .execute(
            () -> {
              if (state.guarded(() -> underWay.contains(attempt))) {
                step.run();
              }
            });
  }

  private void resolve(LogWrite attempt) {
    log.last(attempt.path())
        .whenComplete(
            (last, failure) -> {
              if (failure != null || last < attempt.expected()) {
                later(attempt, () -> resolve(attempt)); // the answering node may be behind
              } else if (last == attempt.expected()) {
                later(attempt, () -> send(attempt));
              } else {
                CompletionStage<Void> unused =
                    state.reached(last).thenRun(() -> overtaken(attempt, last));
              }
            });
  }

  /** Another message is in our message's place. If ours came before that, it is done. */
  private void overtaken(LogWrite attempt, long last) {
    boolean never =
        state.guarded(
            () -> {
              if (state.table().get(attempt.path()) == null) {
                state.learned(attempt.path(), last);
              }
              underWay.remove(attempt);
              return state.giveUp(attempt.id());
            });
    if (never) {
      decide(attempt.path(), attempt.round(), false);
    }
  }

  /** Fails calls that have waited too long: their fate is unknown. */
  public void giveUpOverdue() {
    long now = System.nanoTime();
    giveUp(
        attempt -> attempt.overdue(now),
        new StoreException(
            "the log did not answer within %s: it may have happened or not".formatted(PATIENCE)));
  }

  public void giveUpAll(StoreException cause) {
    giveUp(attempt -> true, cause);
  }

  private void giveUp(Predicate<LogWrite> which, StoreException cause) {
    List<LogWrite> given = new ArrayList<>();
    state.guarded(
        () -> {
          underWay.stream().filter(which).forEach(given::add);
          given.forEach(underWay::remove);
          given.removeIf(attempt -> !state.giveUp(attempt.id()));
        });
    given.forEach(attempt -> failed(attempt.path(), attempt.round(), cause));
  }
}
