package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.internal.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A history written by hand, in the order in which the calls began. Times are milliseconds. A call
 * takes from one millisecond to the next, unless {@link Asked#from} says otherwise.
 */
final class Story {
  static final Key KEY = Key.of("op", "1");
  static final Duration LEASE = Duration.ofMillis(100);
  static final Duration RETENTION = Duration.ofSeconds(1);

  private final List<RecordedCall> calls = new ArrayList<>();
  private final List<RecordedEffect> effects = new ArrayList<>();
  private TakeoverPolicy takeover = TakeoverPolicy.IN_DOUBT;
  private Fingerprint request = Fingerprint.NONE;
  private long now;

  /** Who acts; a client's token is its name's. */
  final class Actor {
    private final String name;
    private final Token token;

    private Actor(String name) {
      this.name = name;
      this.token = new Token(Ids.named(name));
    }

    Asked claims() {
      return new Asked(this, new RecordedAction.Claim(token, request, LEASE, RETENTION, takeover));
    }

    Asked renews() {
      return new Asked(this, new RecordedAction.Renew(token, LEASE));
    }

    Asked completes(String value) {
      return new Asked(
          this, new RecordedAction.Complete(token, RecordState.COMPLETED, value, RETENTION));
    }

    Asked fails(String value) {
      return new Asked(
          this, new RecordedAction.Complete(token, RecordState.FAILED, value, RETENTION));
    }

    Asked releases() {
      return new Asked(this, new RecordedAction.Release(token));
    }

    Asked executes() {
      return new Asked(this, new RecordedAction.Execute(takeover));
    }

    Story effect(int attempt, boolean takenOver, String value) {
      effects.add(new RecordedEffect(name, KEY, attempt, takenOver, value, nanos(now)));
      now++;
      return Story.this;
    }
  }

  /** A call whose answer is still to be told. */
  final class Asked {
    private final Actor actor;
    private final RecordedAction action;
    private long began = now;
    private long ended = now + 1;

    private Asked(Actor actor, RecordedAction action) {
      this.actor = actor;
      this.action = action;
    }

    /** From and to when; the clock goes on from the beginning. */
    Asked from(long begin, long end) {
      began = begin;
      ended = end;
      return this;
    }

    Story answered(RecordedAnswer.Kind kind) {
      return answered(kind, 0, "");
    }

    Story answered(RecordedAnswer.Kind kind, int attempt) {
      return answered(kind, attempt, "");
    }

    Story answered(RecordedAnswer.Kind kind, int attempt, String value) {
      return add(new RecordedAnswer(kind, attempt, value));
    }

    Story unheard() {
      return add(RecordedAnswer.unknown("the connection was lost"));
    }

    private Story add(RecordedAnswer answer) {
      calls.add(
          new RecordedCall(
                  actor.name, KEY, action, RecordedAnswer.NONE, nanos(began), RecordedCall.NEVER)
              .answered(answer, nanos(ended)));
      now = Math.max(now, began) + 2;
      return Story.this;
    }
  }

  static long nanos(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  Actor by(String client) {
    return new Actor(client);
  }

  /** From here on, for claims and executions. */
  Story under(TakeoverPolicy policy) {
    takeover = policy;
    return this;
  }

  /** What claims ask for from here on. */
  Story asking(String text) {
    request = Fingerprint.of(text);
    return this;
  }

  Story after(Duration pause) {
    now += pause.toMillis();
    return this;
  }

  History told() {
    return new History(calls, effects);
  }
}
