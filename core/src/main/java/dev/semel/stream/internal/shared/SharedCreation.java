package dev.semel.stream.internal.shared;

import dev.semel.stream.Offset;
import dev.semel.stream.internal.ChangeDecision;
import dev.semel.stream.internal.RequestChecks;
import dev.semel.stream.internal.StreamState;
import dev.semel.stream.internal.local.MemoryLog;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One creation. A fork ends at a message of its source, and finding it takes the source's data. So
 * the data is fetched before the decision; if the decision then needs other data, it is fetched
 * again.
 */
public final class SharedCreation {
  private final SharedState state;
  private final SharedReads reads;
  private final RequestChecks checks;
  private final CreateRequest request;

  /** The fetched data: of which stream, and from where on. */
  private record Fetched(long stream, long anchor, MemoryLog log) {}

  /** The decision needs data that was not fetched. */
  private static final class NotFetched extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotFetched() {
      super("data of the fork's source", null, false, false);
    }
  }

  public SharedCreation(
      SharedState state, SharedReads reads, RequestChecks checks, CreateRequest request) {
    this.state = state;
    this.reads = reads;
    this.checks = checks;
    this.request = request;
  }

  public CompletionStage<StreamResult.ToCreate> run(ReadBarrier barrier, SharedWriter writer) {
    if (request.fork().isEmpty()) {
      return submit(null, barrier, writer);
    }
    return barrier
        .pass()
        .thenCompose(passed -> fetch())
        .thenCompose(fetched -> submit(fetched.orElse(null), barrier, writer));
  }

  private CompletionStage<StreamResult.ToCreate> submit(
      @Nullable Fetched fetched, ReadBarrier barrier, SharedWriter writer) {
    return writer
        .submit(request.path(), new WriteRound.Single<>(now -> decide(fetched, now)))
        .thenCompose(
            answer ->
                answer.isPresent()
                    ? CompletableFuture.completedFuture(answer.get())
                    : run(barrier, writer));
  }

  private WriteRound.Verdict<Optional<StreamResult.ToCreate>> decide(
      @Nullable Fetched fetched, long now) {
    try {
      ChangeDecision<StreamResult.ToCreate> decision =
          checks.create(
              state.table(),
              request,
              (stream, anchor, units) -> beyond(fetched, stream, anchor, units),
              now);
      return new WriteRound.Verdict<>(
          decision.changes(), () -> Optional.of(told(decision.answer())));
    } catch (NotFetched e) {
      return new WriteRound.Verdict<>(List.of(), Optional::empty);
    }
  }

  /** The stream got its number when it was stored. */
  private StreamResult.ToCreate told(StreamResult.ToCreate answer) {
    StreamState there = state.table().get(request.path());
    return answer instanceof StreamResult.Created && there != null
        ? new StreamResult.Created(there.head())
        : answer;
  }

  private static OptionalLong beyond(
      @Nullable Fetched fetched, StreamState stream, Offset anchor, long units) {
    if (anchor.equals(stream.tail())) {
      return units == 0 ? OptionalLong.of(anchor.position()) : OptionalLong.empty();
    }
    if (fetched == null
        || fetched.stream() != stream.incarnation()
        || fetched.anchor() != anchor.position()) {
      throw new NotFetched();
    }
    return fetched.log().beyond(anchor.position(), units);
  }

  private CompletionStage<Optional<Fetched>> fetch() {
    record Place(long stream, long anchor, SharedReads.Found found) {}
    StreamFork fork = request.fork().orElseThrow();
    Place place =
        state.guarded(
            () -> {
              StreamState source = state.table().get(fork.source());
              Offset anchor = source == null ? Offset.ZERO : fork.offset().orElse(source.tail());
              if (source == null
                  || anchor.compareTo(source.tail()) >= 0
                  || anchor.compareTo(source.start()) < 0) {
                return null;
              }
              SharedIndex index = state.index(source.incarnation());
              long at = anchor.position();
              return new Place(
                  source.incarnation(), at, reads.find(index, at, source.tail().position(), 1));
            });
    if (place == null) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return place
        .found()
        .fetch()
        .thenApply(log -> log.map(l -> new Fetched(place.stream(), place.anchor(), l)));
  }
}
