package dev.semel.stream.internal.shared;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.stream.internal.ChangeDecision;
import dev.semel.stream.internal.RequestChecks;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.internal.WaiterCalls;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.LogFull;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * The changes that are decided and written together on one path: many appends, or one other change.
 * It may be decided several times, from scratch, until the log accepts the last decision.
 */
public sealed interface WriteRound {
  /**
   * Decides, without changing anything; called under the guard.
   *
   * @return the changes to write; empty: the answers hold as they are
   */
  List<StreamChange> decide(SharedState state, long now);

  /** Runs the answers; called under the guard, after the changes were applied. */
  Runnable decided();

  void failed(StoreException cause);

  /** There is no room for the changes: nothing was written. */
  void full();

  /** Appends in order: as many as fit into one message. More are added while it waits. */
  final class Appends implements WriteRound {
    /** How many appends fit into one message. */
    private static final int MAX_BATCH = 4_096;

    private final RequestChecks checks;
    private final int maxBytes;
    private final List<Streams.Submission> all = new ArrayList<>();
    private StreamResult.ToAppend[] answers = {};
    private long bytes;

    Appends(RequestChecks checks, int maxBytes) {
      this.checks = checks;
      this.maxBytes = maxBytes;
    }

    /**
     * Adds an append; the first is always accepted.
     *
     * @return false: it does not fit with the others
     */
    boolean add(Streams.Submission one) {
      long more = bytes(one.request());
      if (!all.isEmpty() && (all.size() == MAX_BATCH || bytes + more > maxBytes)) {
        return false;
      }
      all.add(one);
      bytes += more;
      return true;
    }

    @Override
    public List<StreamChange> decide(SharedState state, long now) {
      answers = new StreamResult.ToAppend[all.size()];
      StreamTable draft = state.table().draft(all.getFirst().path());
      List<StreamChange> changes = new ArrayList<>(answers.length);
      for (int i = 0; i < answers.length; i++) {
        Streams.Submission each = all.get(i);
        if (bytes(each.request()) > maxBytes) {
          answers[i] = new StreamResult.TooLarge(maxBytes);
          continue;
        }
        answers[i] = decide(draft, each, changes, now);
      }
      return changes;
    }

    private StreamResult.ToAppend decide(
        StreamTable draft, Streams.Submission each, List<StreamChange> changes, long now) {
      try {
        ChangeDecision<StreamResult.ToAppend> decision =
            checks.append(draft, each.path(), each.request(), now);
        for (StreamChange change : decision.changes()) {
          if (!(change instanceof StreamChange.Touched) || IdleTouches.due(draft, change)) {
            draft.apply(change);
            changes.add(change);
          }
        }
        return decision.answer();
      } catch (InvalidInput e) {
        return new StreamResult.Malformed(
            String.valueOf(e.getMessage())); // fails alone, not the others
      }
    }

    @Override
    public Runnable decided() {
      return () -> {
        for (int i = 0; i < answers.length; i++) {
          Streams.Submission each = all.get(i);
          StreamResult.ToAppend answer = answers[i];
          WaiterCalls.one(() -> each.answered(answer));
        }
      };
    }

    @Override
    public void failed(StoreException cause) {
      all.forEach(each -> WaiterCalls.one(() -> each.failed(cause)));
    }

    @Override
    public void full() {
      all.forEach(each -> WaiterCalls.one(() -> each.answered(new StreamResult.NoRoom())));
    }

    /** The size of a change without its texts and data: numbers and lengths. */
    private static final int FIELDS = 128;

    /** The most bytes of a character in UTF-8. */
    private static final int CHARACTER = 3;

    /** An upper limit of the encoded size. */
    static long bytes(AppendRequest request) {
      int characters =
          switch (request.sender()) {
            case AppendSender.Anonymous a -> 0;
            case AppendSender.Declared d -> d.tuple().id().length();
            case AppendSender.Managed m -> m.id().length();
          };
      characters += request.seq().map(seq -> seq.text().length()).orElse(0);
      return FIELDS + (long) CHARACTER * characters + bytes(request.body());
    }

    public static long bytes(AppendBody body) {
      long bytes = body.length();
      int last = 0;
      for (int end : body.ends()) {
        int length = end - last;
        bytes += length < 1 << 7 ? 1 : length < 1 << 14 ? 2 : 5;
        last = end;
      }
      return bytes;
    }
  }

  /** The decision of a single change. */
  record Verdict<A>(List<StreamChange> changes, Supplier<A> answer) {}

  /** One change of another kind. */
  final class Single<A> implements WriteRound {
    private final LongFunction<Verdict<A>> step;
    private final CompletableFuture<A> answer = new CompletableFuture<>();
    private Supplier<A> decided =
        () -> {
          throw new IllegalStateException("nothing was decided");
        };

    /**
     * @param step decides for a given time; its answer is read under the guard, after the change
     */
    public Single(LongFunction<Verdict<A>> step) {
      this.step = step;
    }

    CompletableFuture<A> answer() {
      return answer;
    }

    @Override
    public List<StreamChange> decide(SharedState state, long now) {
      Verdict<A> verdict = step.apply(now);
      decided = verdict.answer();
      return verdict.changes();
    }

    @Override
    public Runnable decided() {
      A told = decided.get();
      return () -> answer.complete(told);
    }

    @Override
    public void failed(StoreException cause) {
      answer.completeExceptionally(cause);
    }

    @Override
    public void full() {
      failed(new LogFull());
    }
  }
}
