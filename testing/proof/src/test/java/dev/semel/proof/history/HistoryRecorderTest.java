package dev.semel.proof.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was written down comes back, whoever died in between. */
class HistoryRecorderTest {
  private static final Key KEY = Key.of("tenant", "op", "an id: with / all \"of\" it ü");
  private static final Token TOKEN = Token.draw();
  private static final Duration LEASE = Duration.ofMillis(600);
  private static final Duration RETENTION = Duration.ofDays(3650);
  private static final List<RecordedAction> ACTIONS =
      List.of(
          new RecordedAction.Claim(
              TOKEN, Fingerprint.of("request"), LEASE, RETENTION, TakeoverPolicy.RUN_AGAIN),
          new RecordedAction.Renew(TOKEN, LEASE),
          new RecordedAction.Complete(TOKEN, RecordState.FAILED, "line\nend", RETENTION),
          new RecordedAction.Release(TOKEN),
          new RecordedAction.Execute(TakeoverPolicy.IN_DOUBT));

  @TempDir private Path folder;

  @Test
  void everyActionAndAnswerComesBackFromAFile() {
    Path file = folder.resolve("worker");
    try (FileRecorder recorder = new FileRecorder(file, "worker")) {
      for (RecordedAction action : ACTIONS) {
        recorder.end(
            recorder.begin(KEY, action), new RecordedAnswer(RecordedAnswer.Kind.REPLAY, 3, "v"));
      }
      recorder.effect(KEY, 2, true, "done");
    }
    History history = FileRecorder.read(List.of(file));
    assertThat(history.calls()).extracting(RecordedCall::action).isEqualTo(ACTIONS);
    assertThat(history.calls())
        .allSatisfy(
            call -> {
              assertThat(call.client()).isEqualTo("worker");
              assertThat(call.key()).isEqualTo(KEY);
              assertThat(call.answer())
                  .isEqualTo(new RecordedAnswer(RecordedAnswer.Kind.REPLAY, 3, "v"));
              assertThat(call.endedNanos()).isGreaterThanOrEqualTo(call.beganNanos());
            });
    assertThat(history.effects())
        .singleElement()
        .satisfies(
            effect ->
                assertThat(effect)
                    .isEqualTo(
                        new RecordedEffect("worker", KEY, 2, true, "done", effect.atNanos())));
  }

  @Test
  void callWithoutAnEndHasNoAnswerEvenIfTheNextProcessCountsTheSame() {
    Path file = folder.resolve("worker");
    try (FileRecorder first = new FileRecorder(file, "worker")) {
      first.begin(KEY, ACTIONS.get(0));
    }
    try (FileRecorder second = new FileRecorder(file, "worker")) {
      second.end(second.begin(KEY, ACTIONS.get(1)), RecordedAnswer.of(RecordedAnswer.Kind.YES));
    }
    List<RecordedCall> calls = FileRecorder.read(List.of(file)).calls();
    assertThat(calls).extracting(RecordedCall::answer).first().isEqualTo(RecordedAnswer.NONE);
    assertThat(calls).extracting(RecordedCall::endedNanos).first().isEqualTo(RecordedCall.NEVER);
    assertThat(calls)
        .extracting(call -> call.answer().kind())
        .last()
        .isEqualTo(RecordedAnswer.Kind.YES);
  }

  @Test
  void lineThatADeathCutOffIsLeftOut() throws IOException {
    Path file = folder.resolve("worker");
    try (FileRecorder first = new FileRecorder(file, "worker")) {
      first.begin(KEY, ACTIONS.get(0));
    }
    Files.writeString(file, "{\"ended\":12,\"ca", StandardOpenOption.APPEND);
    assertThat(FileRecorder.read(List.of(file)).calls()).hasSize(1);
    try (FileRecorder second = new FileRecorder(file, "worker")) {
      second.begin(KEY, ACTIONS.get(1));
    }
    assertThat(FileRecorder.read(List.of(file)).calls()).hasSize(2);
  }

  @Test
  void brokenLineAmongOthersIsNotOverlooked() throws IOException {
    Path file = folder.resolve("worker");
    new FileRecorder(file, "worker").close();
    Files.writeString(file, "broken\n{\"effect\":1}\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> FileRecorder.read(List.of(file))).hasMessageStartingWith("line 2 of ");
  }

  @Test
  void recordersOfOneRunAreMergedInOrderOfTime() {
    AtomicLong clock = new AtomicLong();
    MemoryRecorder a = new MemoryRecorder("a", clock::incrementAndGet);
    MemoryRecorder b = new MemoryRecorder("b", clock::incrementAndGet);
    long first = a.begin(KEY, ACTIONS.get(0));
    long second = b.begin(KEY, ACTIONS.get(0));
    a.effect(KEY, 1, false, "done");
    b.end(second, RecordedAnswer.unknown("lost"));
    a.end(first, RecordedAnswer.of(RecordedAnswer.Kind.YES));
    a.begin(KEY, ACTIONS.get(1));
    History history = MemoryRecorder.history(List.of(b, a));
    assertThat(history.calls()).extracting(RecordedCall::client).containsExactly("a", "b", "a");
    assertThat(history.calls())
        .extracting(RecordedCall::endedNanos)
        .containsExactly(5L, RecordedCall.NEVER, RecordedCall.NEVER);
    assertThat(history.effects()).extracting(RecordedEffect::atNanos).containsExactly(3L);
  }
}
