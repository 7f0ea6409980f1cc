package dev.semel.proof;

import dev.semel.Key;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.spi.Store;
import dev.semel.loop.internal.Backoff;
import dev.semel.proof.history.History;
import dev.semel.proof.history.MemoryRecorder;
import dev.semel.proof.history.RecordedAnswer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks for every key of a run once more, after all workers have ended: an acknowledged result must
 * still be there.
 */
final class LastQuestions {
  private static final String CLIENT = "last-question";

  /** How long the store may take to recover from the faults; for all keys together. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final MemoryRecorder recorder = new MemoryRecorder(CLIENT, System::nanoTime);
  private final AtomicInteger unasked = new AtomicInteger();
  private final AtomicInteger values = new AtomicInteger();

  void ask(Store store, RunKeys keys, Collection<Key> asked) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (RecordingExecutor asker =
        new RecordingExecutor(keys, store, store.idempotency(), recorder)) {
      EachKey.of(asked, key -> ask(asker, key, deadline));
    }
  }

  private void ask(RecordingExecutor asker, Key key, long deadline) {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    while (asker.ask(key, this::work).kind() == RecordedAnswer.Kind.THREW) {
      if (!backoff.pauseUntil(deadline)) {
        unasked.incrementAndGet();
        return;
      }
    }
  }

  private String work(Execution execution) {
    String value = CLIENT + "-" + values.incrementAndGet();
    recorder.effect(execution.key(), execution.attempt(), execution.takenOver(), value);
    return value;
  }

  int unasked() {
    return unasked.get();
  }

  History history() {
    return MemoryRecorder.history(List.of(recorder));
  }
}
