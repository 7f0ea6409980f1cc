package dev.semel.stream;

import dev.semel.StoreException;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.stream.internal.ChangeDecision;
import dev.semel.stream.internal.QueuedBytes;
import dev.semel.stream.internal.RequestChecks;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.internal.local.MemoryData;
import dev.semel.stream.internal.shared.IdleTouches;
import dev.semel.stream.internal.shared.LogTransition;
import dev.semel.stream.internal.shared.ReadBarrier;
import dev.semel.stream.internal.shared.SharedCreation;
import dev.semel.stream.internal.shared.SharedReads;
import dev.semel.stream.internal.shared.SharedState;
import dev.semel.stream.internal.shared.SharedWriter;
import dev.semel.stream.internal.shared.WriteRound;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.LogFull;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.SharedLog;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Streams in a log that several engines share, each in its own process. All engines are equal, and
 * none keeps data that the log does not have. {@link RequestChecks} has all rules.
 *
 * <p>Every engine reads the whole log and decides on the state that results from it. A decision
 * takes effect if the log accepts it, which it does only if nothing else happened on that path. An
 * answer without a write waits until this engine has read everything that was in the log when the
 * call arrived. So what one engine has answered, every other engine sees.
 *
 * <p>A crash loses nothing that is in the log. A change on its way is there or not, as a whole.
 */
public final class SharedStreams implements Streams {
  /** How often to look for calls that have waited too long. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** How long opening may take without progress. */
  private static final Duration STANDSTILL = Duration.ofSeconds(30);

  /** Beside the data in a message: its writer, and the configuration of a new stream. */
  private static final int MARKS = 4 << 10;

  /** The size of a change that forgets a producer: its id, and numbers. */
  private static final int FORGETTING = 3 * ProducerTuple.MAX_ID_LENGTH + 64;

  /**
   * How many messages a starting engine has to read at most; twice that while a checkpoint is made.
   */
  static final long CHECKPOINT_EVERY = 20_000;

  private final SharedLog log;
  private final StreamLimits limits;
  private final RequestChecks checks;
  private final SharedState state;
  private final SharedReads reads;
  private final ReadBarrier barrier;
  private final SharedWriter writer;
  private final Loop overdue;
  private final QueuedBytes queuedBytes;
  private final AtomicBoolean leaving = new AtomicBoolean();
  private volatile long checkpointed;

  private SharedStreams(SharedLog log, StreamLimits limits) {
    this.log = log;
    this.limits = fitting(limits, log.maxBytes());
    this.checks = new RequestChecks(this.limits);
    this.queuedBytes = new QueuedBytes(limits.queuedBytes());
    this.reads = new SharedReads(log);
    this.state = new SharedState(limits.waiters(), reads);
    this.barrier = new ReadBarrier(log, state);
    this.writer = new SharedWriter(log, state, barrier, checks);
    this.overdue = Loop.start("semel-streams-overdue", this::lookAround, LOOK_EVERY);
  }

  private static StreamLimits fitting(StreamLimits limits, int messageBytes) {
    long body = (long) messageBytes - LogTransition.OVERHEAD - MARKS;
    if (body < 1) {
      throw new StoreException("the log takes no message of useful size: raise its limit");
    }
    return new StreamLimits(
        limits.streams(),
        limits.producersPerStream(),
        (int) Math.min(limits.bodyBytes(), body),
        limits.queuedBytes(),
        limits.waiters(),
        limits.producerIdle());
  }

  /** Reads the log up to its end. Closing the streams closes the log; so does a failure of this. */
  public static SharedStreams open(SharedLog log, StreamLimits limits) {
    SharedStreams streams = new SharedStreams(log, limits);
    try {
      log.follow(streams.restore(), streams::take);
      streams.awaitCurrent();
      return streams;
    } catch (RuntimeException e) {
      streams.close();
      throw e;
    }
  }

  /** Restores the newest checkpoint; returns its sequence number. */
  private long restore() {
    checkpointed =
        log.checkpoint().filter(state::restore).map(SharedLog.Checkpoint::sequence).orElse(0L);
    return checkpointed;
  }

  /**
   * Leaves a checkpoint for other engines, unless one of them has just left one.
   *
   * @param every how many messages there must be since the last one
   */
  void leaveCheckpoint(long every) {
    try {
      long newest = log.checkpoint().map(SharedLog.Checkpoint::sequence).orElse(0L);
      if (state.applied() - newest >= every) {
        SharedLog.Checkpoint taken = state.checkpoint();
        log.leave(taken);
        newest = taken.sequence();
      }
      checkpointed = newest;
    } catch (RuntimeException e) { // even a bug of the log: nothing else reports it
      LoopFailures.report("semel-streams-checkpoint", e);
      checkpointed = state.applied(); // trying again much later loses nothing
    } finally {
      leaving.set(false);
    }
  }

  private void take(long sequence, byte[] message) {
    LogTransition decoded;
    try {
      decoded = LogTransition.decode(message);
    } catch (StoreException e) {
      state.stop(
          new StoreException("message %d of the log is none of ours".formatted(sequence), e));
      throw e;
    }
    state.take(sequence, decoded, message);
  }

  private void awaitCurrent() {
    CompletableFuture<Void> current = barrier.pass();
    long before = -1;
    while (true) {
      try {
        current.get(STANDSTILL.toNanos(), TimeUnit.NANOSECONDS);
        return;
      } catch (TimeoutException e) {
        long now = state.applied();
        if (now == before) {
          throw new StoreException("the log of the streams does not come: is it well?", e);
        }
        before = now;
      } catch (ExecutionException e) {
        throw ReadBarrier.unwrap(e.getCause() == null ? e : e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException("interrupted while opening streams", e);
      }
    }
  }

  private boolean lookAround() {
    writer.giveUpOverdue();
    if (state.applied() - checkpointed >= CHECKPOINT_EVERY && leaving.compareAndSet(false, true)) {
      Loop.beside("semel-streams-checkpoint", () -> leaveCheckpoint(CHECKPOINT_EVERY));
    }
    return false;
  }

  /** Completes when the engine has failed and answers nothing any more. */
  public CompletionStage<StoreException> failed() {
    return state.failed();
  }

  /** The state that a replay of the whole log must give. */
  StreamTable table() {
    return state.table();
  }

  private long now() {
    return log.clock().millis();
  }

  @Override
  public CompletionStage<StreamResult.ToCreate> create(CreateRequest request) {
    if (bytes(request) > log.maxBytes() - LogTransition.OVERHEAD) {
      return CompletableFuture.completedFuture(new StreamResult.TooLarge(limits.bodyBytes()));
    }
    return new SharedCreation(state, reads, checks, request).run(barrier, writer);
  }

  /** An upper limit of the encoded size: a fork's type is not known yet. */
  private static long bytes(CreateRequest request) {
    AppendBody body = request.body().as(request.type().orElse(ContentType.JSON));
    return MARKS + WriteRound.Appends.bytes(body);
  }

  @Override
  public void append(List<Submission> batch) {
    if (!queuedBytes.take(batch)) {
      return;
    }
    List<Submission> counted = new ArrayList<>(batch.size());
    batch.forEach(each -> counted.add(new CountedAppend(each, queuedBytes)));
    writer.append(counted);
  }

  /** Releases its bytes when it is answered. */
  private record CountedAppend(Submission of, QueuedBytes bytes) implements Submission {
    @Override
    public StreamPath path() {
      return of.path();
    }

    @Override
    public AppendRequest request() {
      return of.request();
    }

    @Override
    public void answered(StreamResult.ToAppend answer) {
      bytes.release(of);
      of.answered(answer);
    }

    @Override
    public void failed(StoreException cause) {
      bytes.release(of);
      of.failed(cause);
    }
  }

  @Override
  public CompletionStage<StreamResult.ToDelete> delete(StreamPath path) {
    return writer.submit(
        path,
        new WriteRound.Single<>(
            now -> {
              ChangeDecision<StreamResult.ToDelete> decision =
                  checks.delete(state.table(), path, now);
              return new WriteRound.Verdict<>(decision.changes(), decision::answer);
            }));
  }

  @Override
  public CompletionStage<StreamResult.ToHead> head(StreamPath path) {
    long asked = now(); // answers for this time, however long the log takes
    return current(() -> checks.head(state.table(), path, asked));
  }

  /** Answers from the state once it is current. */
  private <A> CompletionStage<A> current(Supplier<A> question) {
    return barrier.pass().thenApply(passed -> state.guarded(question));
  }

  @Override
  public CompletionStage<StreamResult.ToRead> read(StreamPath path, ReadFrom from, int maxBytes) {
    long asked = now();
    int most = Math.max(1, maxBytes);
    return barrier.pass().thenCompose(passed -> find(path, from, most, asked));
  }

  /** The data to read, or the answer without data. */
  private record Sought(
      StreamResult.@Nullable ToRead answer,
      Optional<StreamHead> head,
      SharedReads.@Nullable Found found) {}

  private CompletionStage<StreamResult.ToRead> find(
      StreamPath path, ReadFrom from, int maxBytes, long asked) {
    boolean due =
        state.guarded(
            () -> {
              StreamState live = state.live(path, asked);
              return live != null && IdleTouches.due(live, asked);
            });
    CompletionStage<Boolean> ready =
        due
            ? touched(path).exceptionally(SharedStreams::unlessFull)
            : CompletableFuture.completedFuture(true);
    return ready.thenCompose(done -> fetch(path, from, maxBytes, asked));
  }

  /** A full log must not stop a read; only the record of the access is left out. */
  private static boolean unlessFull(Throwable failure) {
    StoreException why = ReadBarrier.unwrap(failure);
    if (why instanceof LogFull) {
      return false;
    }
    throw why;
  }

  private CompletionStage<StreamResult.ToRead> fetch(
      StreamPath path, ReadFrom from, int maxBytes, long asked) {
    Sought sought = state.guarded(() -> seek(path, from, maxBytes, asked));
    SharedReads.Found found = sought.found();
    if (found == null) {
      return CompletableFuture.completedFuture(Objects.requireNonNull(sought.answer()));
    }
    StreamHead head = sought.head().orElseThrow();
    return found
        .fetch()
        .thenCompose(
            log ->
                log.isPresent()
                    ? CompletableFuture.completedFuture(
                        MemoryData.read(log.get(), head, from.in(head), maxBytes))
                    : read(path, from, maxBytes)); // dropped since, because the stream ended
  }

  private Sought seek(StreamPath path, ReadFrom from, int maxBytes, long asked) {
    return switch (checks.head(state.table(), path, asked)) {
      case StreamResult.Missing m -> new Sought(m, Optional.empty(), null);
      case StreamResult.Gone g -> new Sought(g, Optional.empty(), null);
      case StreamResult.Found f -> {
        StreamHead head = f.head();
        Offset start = from.in(head);
        StreamResult.ToRead outside = MemoryData.outside(head, start).orElse(null);
        yield outside != null
            ? new Sought(outside, Optional.empty(), null)
            : new Sought(
                null,
                Optional.of(head),
                reads.find(
                    state.index(head.incarnation()),
                    start.position(),
                    head.tail().position(),
                    maxBytes));
      }
    };
  }

  private CompletionStage<Boolean> touched(StreamPath path) {
    return writer.submit(
        path,
        new WriteRound.Single<>(
            now -> {
              StreamState live = state.live(path, now);
              List<StreamChange> changes =
                  live != null && IdleTouches.due(live, now)
                      ? RequestChecks.touch(live, now).stream().toList()
                      : List.<StreamChange>of();
              return new WriteRound.Verdict<>(changes, () -> live != null);
            }));
  }

  @Override
  public CompletionStage<Boolean> touch(StreamPath path) {
    return touched(path);
  }

  @Override
  public Optional<Waiting> await(StreamPath path, Offset beyond, Runnable wake) {
    state.checkRunning();
    Optional<Waiting> waiting =
        state
            .guarded(
                () -> {
                  StreamResult.ToHead there = checks.head(state.table(), path, now());
                  return there instanceof StreamResult.Found f
                          && !f.head().closed()
                          && f.head().tail().compareTo(beyond) <= 0
                      ? Optional.of(
                          state.waiters().add(f.head().incarnation(), beyond.position(), wake))
                      : Optional.<Optional<Waiting>>empty();
                })
            .orElse(null);
    if (waiting == null) {
      wake.run();
      return Optional.of(() -> {});
    }
    return waiting;
  }

  @Override
  public CompletionStage<List<StreamResult.Producer>> producers(StreamPath path) {
    return current(
        () -> {
          StreamState live = state.live(path, now());
          return live == null ? List.of() : live.producers();
        });
  }

  @Override
  public CompletionStage<Boolean> fence(StreamPath path, String id, boolean managed, long epoch) {
    return writer.submit(
        path,
        new WriteRound.Single<>(
            now -> {
              List<StreamChange> changes =
                  RequestChecks.live(state.table(), path, now)
                      .flatMap(s -> RequestChecks.fence(s, id, managed, epoch, now))
                      .stream()
                      .toList();
              return new WriteRound.Verdict<>(changes, () -> !changes.isEmpty());
            }));
  }

  @Override
  public CompletionStage<List<StreamHead>> list(String prefix, String after, int limit) {
    return current(() -> state.table().list(prefix, after, limit, now()));
  }

  @Override
  public CompletionStage<Integer> sweep() {
    List<StreamPath> paths =
        state.guarded(
            () ->
                state.table().all().stream()
                    .filter(s -> !due(s, now()).isEmpty())
                    .map(StreamState::path)
                    .toList());
    CompletionStage<Integer> changed = CompletableFuture.completedFuture(0);
    for (StreamPath path : paths) {
      CompletionStage<Integer> one =
          writer.submit(path, new WriteRound.Single<>(now -> swept(path, now)));
      changed = changed.thenCombine(one, Integer::sum);
    }
    return changed;
  }

  private WriteRound.Verdict<Integer> swept(StreamPath path, long now) {
    StreamState there = state.table().get(path);
    List<StreamChange> due = there == null ? List.of() : due(there, now);
    return new WriteRound.Verdict<>(due, due::size);
  }

  /** As many changes as surely fit into one message; the others are due again at the next sweep. */
  private List<StreamChange> due(StreamState stream, long now) {
    int fitting = Math.max(1, (log.maxBytes() - LogTransition.OVERHEAD) / FORGETTING);
    return checks.due(stream, now).stream().limit(fitting).toList();
  }

  @Override
  public void close() {
    overdue.close();
    log.close();
    StoreException closed = new StoreException("the streams are closed");
    state.end(closed);
    writer.giveUpAll(closed);
  }
}
