package dev.semel.proof.history;

import dev.semel.Key;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Records in memory, for runs within one process. The clock may be a counter: one that never
 * repeats a number shows the order of events best.
 */
public final class MemoryRecorder implements HistoryRecorder {
  private final String client;
  private final LongSupplier nanos;
  private final List<RecordedCall> calls = new ArrayList<>();
  private final List<RecordedEffect> effects = new ArrayList<>();

  /**
   * @param nanos the clock that all recorders of a run share
   */
  public MemoryRecorder(String client, LongSupplier nanos) {
    this.client = client;
    this.nanos = nanos;
  }

  @Override
  public synchronized long begin(Key key, RecordedAction action) {
    calls.add(
        new RecordedCall(
            client, key, action, RecordedAnswer.NONE, nanos.getAsLong(), RecordedCall.NEVER));
    return calls.size() - 1L;
  }

  @Override
  public void end(long call, RecordedAnswer answer) {
    // Read before waiting for the lock, because the answer was there already.
    long now = nanos.getAsLong();
    synchronized (this) {
      int at = Math.toIntExact(call);
      calls.set(at, calls.get(at).answered(answer, now));
    }
  }

  @Override
  public synchronized void effect(Key key, int attempt, boolean takenOver, String value) {
    effects.add(new RecordedEffect(client, key, attempt, takenOver, value, nanos.getAsLong()));
  }

  /** The combined history of all recorders. */
  public static History history(List<MemoryRecorder> recorders) {
    List<RecordedCall> calls = new ArrayList<>();
    List<RecordedEffect> effects = new ArrayList<>();
    for (MemoryRecorder recorder : recorders) {
      synchronized (recorder) {
        calls.addAll(recorder.calls);
        effects.addAll(recorder.effects);
      }
    }
    return inOrder(calls, effects);
  }

  static History inOrder(List<RecordedCall> calls, List<RecordedEffect> effects) {
    return new History(
        calls.stream().sorted(Comparator.comparingLong(RecordedCall::beganNanos)).toList(),
        effects.stream().sorted(Comparator.comparingLong(RecordedEffect::atNanos)).toList());
  }
}
