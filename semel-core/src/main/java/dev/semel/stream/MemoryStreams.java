package dev.semel.stream;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Keeps all streams in this process: for tests, demos, and data that may go with it. A crash
 * forgets everything, producers too.
 *
 * <p>One lock makes each caller in turn the writer; decisions take microseconds and nothing is
 * waited for under it. Answers and wake-ups are given when it is free again.
 */
public final class MemoryStreams implements Streams {
  private final InstantSource clock;
  private final Retention retention;
  private final Limits limits;
  private final Checks checks;
  private final MemoryData data;
  private final Object lock = new Object();
  private final Waiters waiters;

  public MemoryStreams(InstantSource clock) {
    this(clock, Limits.defaults(), Retention.FOR_EVER);
  }

  public MemoryStreams(InstantSource clock, Limits limits, Retention retention) {
    this(clock, limits, retention, change -> {});
  }

  /**
   * @param journal is told of every change before it is applied, in order
   */
  MemoryStreams(InstantSource clock, Limits limits, Retention retention, Consumer<Change> journal) {
    this.clock = clock;
    this.retention = retention;
    this.limits = limits;
    this.checks = new Checks(limits);
    this.waiters = new Waiters(lock, limits.waiters());
    this.data = new MemoryData(journal, waiters);
  }

  /** What a replay of all changes must give. */
  StreamTable table() {
    return data.table();
  }

  /** What a caller does as the writer: its answer, and whom to wake behind it. */
  private <A> A alone(Function<List<Runnable>, A> step) {
    List<Runnable> awake = new ArrayList<>();
    A answer;
    synchronized (lock) {
      answer = step.apply(awake);
    }
    callAll(awake);
    return answer;
  }

  private <A extends Answer> A commit(Decision<A> decision, List<Runnable> awake) {
    for (Change change : decision.changes()) {
      data.commit(change, awake);
    }
    return decision.answer();
  }

  @Override
  public CompletionStage<Answer.ToCreate> create(Create request) {
    return CompletableFuture.completedFuture(
        alone(awake -> commit(checks.create(data.table(), request, data, clock.millis()), awake)));
  }

  @Override
  public void append(List<Submission> batch) {
    List<Runnable> calls = new ArrayList<>(batch.size());
    List<Runnable> awake = new ArrayList<>();
    synchronized (lock) {
      long now = clock.millis();
      for (Submission each : batch) {
        Answer.ToAppend answer =
            commit(checks.append(data.table(), each.path(), each.request(), now), awake);
        calls.add(() -> each.answer().accept(answer));
      }
    }
    calls.addAll(awake); // whoever wrote is told before whoever reads
    callAll(calls);
  }

  /** One that fails must not keep the others waiting for ever. */
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
  public CompletionStage<Answer.ToDelete> delete(StreamPath path) {
    return CompletableFuture.completedFuture(
        alone(awake -> commit(checks.delete(data.table(), path, clock.millis()), awake)));
  }

  @Override
  public CompletionStage<Answer.ToHead> head(StreamPath path) {
    return CompletableFuture.completedFuture(
        alone(awake -> checks.head(data.table(), path, clock.millis())));
  }

  @Override
  public CompletionStage<Answer.ToRead> read(StreamPath path, ReadFrom from, int maxBytes) {
    return CompletableFuture.completedFuture(
        alone(
            awake -> {
              long now = clock.millis();
              return switch (checks.head(data.table(), path, now)) {
                case Answer.Missing m -> m;
                case Answer.Gone g -> g;
                case Answer.Found f -> {
                  touched(path, now, awake);
                  yield data.read(f.head(), from, maxBytes);
                }
              };
            }));
  }

  private boolean touched(StreamPath path, long now, List<Runnable> awake) {
    Optional<StreamState> state = Checks.live(data.table(), path, now);
    state.flatMap(s -> Checks.touch(s, now)).ifPresent(change -> data.commit(change, awake));
    return state.isPresent();
  }

  @Override
  public CompletionStage<Boolean> touch(StreamPath path) {
    return CompletableFuture.completedFuture(alone(awake -> touched(path, clock.millis(), awake)));
  }

  @Override
  public Optional<Waiting> await(StreamPath path, Offset beyond, Runnable wake) {
    return alone(
        awake -> {
          Answer.ToHead there = checks.head(data.table(), path, clock.millis());
          if (there instanceof Answer.Found f
              && !f.head().closed()
              && f.head().tail().compareTo(beyond) <= 0) {
            return waiters.add(f.head().incarnation(), beyond.position(), wake);
          }
          awake.add(wake);
          return Optional.of(() -> {});
        });
  }

  @Override
  public CompletionStage<List<Answer.Producer>> producers(StreamPath path) {
    return CompletableFuture.completedFuture(
        alone(
            awake ->
                Checks.live(data.table(), path, clock.millis()).stream()
                    .flatMap(StreamState::producers)
                    .sorted(
                        Comparator.comparing(Answer.Producer::id)
                            .thenComparing(Answer.Producer::managed))
                    .toList()));
  }

  @Override
  public CompletionStage<Boolean> fence(StreamPath path, String id, boolean managed, long epoch) {
    return CompletableFuture.completedFuture(
        alone(
            awake -> {
              long now = clock.millis();
              Optional<Change> change =
                  Checks.live(data.table(), path, now)
                      .flatMap(s -> Checks.fence(s, id, managed, epoch, now));
              change.ifPresent(c -> data.commit(c, awake));
              return change.isPresent();
            }));
  }

  @Override
  public CompletionStage<List<Head>> list(String prefix, String after, int limit) {
    return CompletableFuture.completedFuture(
        alone(
            awake -> {
              long now = clock.millis();
              return data.table().all().stream()
                  .filter(s -> !s.path().isReserved())
                  .filter(s -> !s.goneFor(now) && !s.expired(now))
                  .filter(s -> s.path().text().startsWith(prefix))
                  .filter(s -> s.path().text().compareTo(after) > 0)
                  .sorted(Comparator.comparing(StreamState::path))
                  .limit(limit)
                  .map(StreamState::head)
                  .toList();
            }));
  }

  @Override
  public CompletionStage<Integer> sweep() {
    return CompletableFuture.completedFuture(
        alone(
            awake -> {
              long now = clock.millis();
              int changed = 0;
              for (StreamState state : List.copyOf(data.table().all())) {
                // The last fork may have taken its source along.
                boolean there = data.table().find(state.path()).isPresent();
                List<Change> due = there ? due(state, now) : List.of();
                due.forEach(change -> data.commit(change, awake));
                changed += due.size();
              }
              return changed;
            }));
  }

  private List<Change> due(StreamState state, long now) {
    Optional<Change> expired = Checks.expire(state, now);
    if (expired.isPresent()) {
      return List.of(expired.get());
    }
    List<Change> due = new ArrayList<>();
    state
        .producersIdleSince(now - limits.producerIdle().toMillis())
        .forEach(
            p ->
                due.add(new Change.ProducerExpired(state.incarnation(), now, p.id(), p.managed())));
    if (state.path().isReserved()) {
      return due; // whoever keeps it needs all of it
    }
    OptionalLong start = data.keptFrom(state, retention, now);
    start.ifPresent(s -> due.add(new Change.Trimmed(state.incarnation(), now, new Offset(s))));
    return due;
  }

  /** There is nothing to close. */
  @Override
  public void close() {}
}
