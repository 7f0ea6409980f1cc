package dev.semel.proof.history;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.ForwardingRecords;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Wraps a store, and records its calls and answers. A call that threw may have taken effect, or may
 * do so later; an {@link Error} leaves the call open, like a death. Reads are not recorded.
 */
public final class RecordedStore implements ForwardingRecords {
  private final IdempotencyStore store;
  private final HistoryRecorder recorder;

  public RecordedStore(IdempotencyStore store, HistoryRecorder recorder) {
    this.store = store;
    this.recorder = recorder;
  }

  @Override
  public IdempotencyStore records() {
    return store;
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    RecordedAction asked =
        new RecordedAction.Claim(
            request.token(),
            request.fingerprint(),
            request.lease(),
            request.retention(),
            request.takeover());
    return recorded(request.key(), asked, () -> store.claim(request), PayloadNames::of);
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return recorded(
        key,
        new RecordedAction.Renew(token, lease),
        () -> store.renew(key, token, lease),
        PayloadNames::of);
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    RecordedAction asked =
        new RecordedAction.Complete(
            token, ending.state(), PayloadNames.of(ending.payload()), retention);
    return recorded(
        key, asked, () -> store.complete(key, token, ending, retention), PayloadNames::of);
  }

  @Override
  public boolean release(Key key, Token token) {
    return recorded(
        key, new RecordedAction.Release(token), () -> store.release(key, token), PayloadNames::of);
  }

  private <T> T recorded(
      Key key, RecordedAction action, Supplier<T> call, Function<T, RecordedAnswer> said) {
    long id = recorder.begin(key, action);
    T answer;
    try {
      answer = call.get();
    } catch (RuntimeException e) {
      recorder.end(id, RecordedAnswer.unknown(PrintableText.safe(String.valueOf(e.getMessage()))));
      throw e;
    }
    recorder.end(id, said.apply(answer));
    return answer;
  }
}
