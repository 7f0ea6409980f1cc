package dev.semel.benchmarks;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.internal.Ids;

/** Creates records like those of a busy service. */
final class Records {
  private Records() {}

  /** One completed record with a UUID as its id. */
  static void complete(IdempotencyStore store, Payload response) {
    Key key = Key.of("payment", Ids.uuid7().toString());
    Token token = Token.draw();
    ExecutionPolicy policy = ExecutionPolicy.defaults();
    store.claim(
        new ClaimRequest(
            key,
            token,
            Fingerprint.of(key.id()),
            policy.lease(),
            policy.retention(),
            TakeoverPolicy.IN_DOUBT,
            ""));
    store.complete(key, token, ExecutionEnd.completed(response), policy.retention());
  }
}
