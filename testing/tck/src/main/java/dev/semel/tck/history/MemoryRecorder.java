package dev.semel.tck.history;

import dev.semel.Key;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Writes into memory, for runs within one process. The clock may be a counter: one that never gives
 * the same number twice tells the most about what came before what.
 */
public final class MemoryRecorder implements Recorder {
  private final String client;
  private final LongSupplier nanos;
  private final List<Call> calls = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();

  /**
   * @param nanos shared by all recorders of a run
   */
  public MemoryRecorder(String client, LongSupplier nanos) {
    this.client = client;
    this.nanos = nanos;
  }

  @Override
  public synchronized long begin(Key key, Action action) {
    calls.add(new Call(client, key, action, Answer.NONE, nanos.getAsLong(), Call.NEVER));
    return calls.size() - 1L;
  }

  @Override
  public void end(long call, Answer answer) {
    // Asked before the lock is waited for: the answer was there already.
    long now = nanos.getAsLong();
    synchronized (this) {
      int at = Math.toIntExact(call);
      calls.set(at, calls.get(at).answered(answer, now));
    }
  }

  @Override
  public synchronized void effect(Key key, int attempt, boolean takenOver, String value) {
    effects.add(new Effect(client, key, attempt, takenOver, value, nanos.getAsLong()));
  }

  /** What all of them wrote so far, as one. */
  public static History history(List<MemoryRecorder> recorders) {
    List<Call> calls = new ArrayList<>();
    List<Effect> effects = new ArrayList<>();
    for (MemoryRecorder recorder : recorders) {
      synchronized (recorder) {
        calls.addAll(recorder.calls);
        effects.addAll(recorder.effects);
      }
    }
    return inOrder(calls, effects);
  }

  static History inOrder(List<Call> calls, List<Effect> effects) {
    return new History(
        calls.stream().sorted(Comparator.comparingLong(Call::beganNanos)).toList(),
        effects.stream().sorted(Comparator.comparingLong(Effect::atNanos)).toList());
  }
}
