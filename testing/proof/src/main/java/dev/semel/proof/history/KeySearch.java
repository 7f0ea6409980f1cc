package dev.semel.proof.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Searches for an order of one key's calls in which a correct store would have given the same
 * answers: a depth-first search (Wing and Gong) that visits no combination of completed calls and
 * record twice (Lowe). For one use.
 *
 * <p>A call whose answer says that it changed nothing is placed where it first fits, without trying
 * other places, because it leaves the record as it is. A yes, or a grant, may have changed
 * something at another place.
 */
final class KeySearch {
  /** The most calls of a key that took effect twice: each needs a lost connection. */
  private static final int MAX_REPETITIONS = 3;

  /**
   * A call in the search.
   *
   * @param optional whether it may have taken effect without an answer, or not at all
   */
  private record Item(RecordedCall call, CallTiming.Span span, boolean optional) {}

  /** A state of the search. Its set is never changed. */
  private record Point(BitSet done, KeyRecord record) {}

  /** How the search ended. */
  enum Verdict {
    EXPLAINED,
    UNEXPLAINED,
    GIVEN_UP
  }

  private final List<Item> items = new ArrayList<>();
  private final BitSet answered = new BitSet();
  private final BitSet repetitions = new BitSet();
  private final CallTiming timing;
  private final int maxPoints;
  private final Set<Point> seen = new HashSet<>();
  private final Deque<Point> open = new ArrayDeque<>();
  private Point furthest = new Point(new BitSet(), KeyRecord.NONE);
  private int furthestDone = -1;

  /**
   * @param repeated whether a client may have repeated a call, so that it took effect once before
   *     the answered time
   */
  KeySearch(List<RecordedCall> calls, CallTiming timing, boolean repeated, int maxPoints) {
    this.timing = timing;
    this.maxPoints = maxPoints;
    calls.stream()
        .sorted(Comparator.comparingLong(RecordedCall::beganNanos))
        .forEach(call -> add(call, repeated));
  }

  private void add(RecordedCall call, boolean repeated) {
    boolean unknown = call.answer().kind() == RecordedAnswer.Kind.UNKNOWN;
    answered.set(items.size(), !unknown);
    items.add(new Item(call, CallTiming.Span.of(call), unknown));
    if (repeated && repetitionWouldShow(call)) {
      repetitions.set(items.size());
      items.add(new Item(call, CallTiming.Span.of(call), true));
    }
  }

  /**
   * Whether an unanswered earlier effect could explain more than the answered one. A yes was a yes
   * the first time, too; a claim forgets its grant only when another caller takes over in between.
   */
  private boolean repetitionWouldShow(RecordedCall call) {
    return switch (call.action()) {
      case RecordedAction.Claim c ->
          switch (call.answer().kind()) {
            case TAKEN_OVER -> true;
            case REPLAY, FAILED, IN_FLIGHT, MISMATCH, IN_DOUBT ->
                timing.mayBeOver(c.lease(), CallTiming.Span.of(call), CallTiming.Span.of(call));
            case GRANTED, YES, NO, EXECUTED, UNRECORDED, THREW, UNKNOWN -> false;
          };
      case RecordedAction.Renew r -> call.answer().kind() == RecordedAnswer.Kind.NO;
      case RecordedAction.Release r -> call.answer().kind() == RecordedAnswer.Kind.NO;
      case RecordedAction.Complete c -> false;
      case RecordedAction.Execute e -> false;
    };
  }

  Verdict run() {
    push(new BitSet(), KeyRecord.NONE);
    while (!open.isEmpty()) {
      Point point = open.pop();
      if (count(point.done(), answered) == answered.cardinality()) {
        return Verdict.EXPLAINED;
      }
      if (seen.size() > maxPoints) {
        return Verdict.GIVEN_UP;
      }
      branch(point);
    }
    return Verdict.UNEXPLAINED;
  }

  /** The most calls that could be put in order. */
  int explained() {
    return furthestDone;
  }

  /** The record after these calls. */
  KeyRecord record() {
    return furthest.record();
  }

  /** The call that should have come next: of the remaining ones, the one that ended first. */
  RecordedCall stuck() {
    return answered.stream()
        .filter(i -> !furthest.done().get(i))
        .mapToObj(i -> items.get(i).call())
        .min(Comparator.comparingLong(RecordedCall::endedNanos))
        .orElseThrow();
  }

  private void push(BitSet done, KeyRecord record) {
    settle(done, record);
    Point point = new Point(done, record);
    if (seen.add(point)) {
      open.push(point);
      int count = count(done, answered);
      if (count > furthestDone) {
        furthest = point;
        furthestDone = count;
      }
    }
  }

  /** Places all calls that change nothing and may come next. */
  private void settle(BitSet done, KeyRecord record) {
    boolean more = true;
    while (more) {
      more = false;
      List<Integer> next = next(done);
      long end = firstEnd(next);
      for (int i : next) {
        Item item = items.get(i);
        if (!item.optional() && item.span().beganNanos() <= end && changesNothing(item, record)) {
          done.set(i);
          more = true;
        }
      }
    }
  }

  /**
   * The limit for {@link #settle}: it must not place calls that began later, because a repetition
   * may have to come before them.
   */
  private long firstEnd(List<Integer> next) {
    return next.stream()
        .map(items::get)
        .filter(Item::optional)
        .mapToLong(item -> item.span().endedNanos())
        .min()
        .orElse(RecordedCall.NEVER);
  }

  private boolean changesNothing(Item item, KeyRecord record) {
    return switch (item.call().answer().kind()) {
      case NO, REPLAY, FAILED, IN_FLIGHT, MISMATCH, IN_DOUBT -> !fitting(item, record).isEmpty();
      case YES, GRANTED, TAKEN_OVER, EXECUTED, UNRECORDED, THREW, UNKNOWN -> false;
    };
  }

  /**
   * Pushes the likelier branches last, so that they are tried first: those without unanswered
   * calls.
   */
  private void branch(Point point) {
    List<Integer> next = next(point.done());
    next.sort(
        Comparator.<Integer, Boolean>comparing(i -> !items.get(i).optional())
            .thenComparing(i -> items.get(i).span().endedNanos(), Comparator.reverseOrder()));
    for (int i : next) {
      Item item = items.get(i);
      for (KeyRecord.Step step : fitting(item, point.record())) {
        Optional<KeyRecord> written = step.next();
        // A call without answer and effect is the same as no call.
        if (written.isPresent() || !item.optional()) {
          BitSet done = (BitSet) point.done().clone();
          done.set(i);
          push(done, written.orElse(point.record()));
        }
      }
    }
  }

  private List<KeyRecord.Step> fitting(Item item, KeyRecord record) {
    List<KeyRecord.Step> steps = record.steps(item.call().action(), item.span(), timing);
    if (!item.optional()) {
      steps.removeIf(step -> !step.answers(item.call().answer()));
    }
    return steps;
  }

  /**
   * The calls that may come next: they began before the first remaining answered call ended, and
   * ended after the last completed call began.
   */
  private List<Integer> next(BitSet done) {
    List<Integer> next = new ArrayList<>();
    long now = done.isEmpty() ? Long.MIN_VALUE : items.get(done.length() - 1).span().beganNanos();
    boolean mayRepeat = count(done, repetitions) < MAX_REPETITIONS;
    long end = RecordedCall.NEVER;
    for (int i = done.nextClearBit(0); i < items.size(); i = done.nextClearBit(i + 1)) {
      Item item = items.get(i);
      if (item.span().beganNanos() > end) {
        break;
      }
      if (item.span().endedNanos() >= now && (mayRepeat || !repetitions.get(i))) {
        next.add(i);
      }
      end = item.optional() ? end : Math.min(end, item.span().endedNanos());
    }
    long last = end;
    next.removeIf(i -> items.get(i).span().beganNanos() > last);
    return next;
  }

  private static int count(BitSet done, BitSet of) {
    BitSet both = (BitSet) done.clone();
    both.and(of);
    return both.cardinality();
  }
}
