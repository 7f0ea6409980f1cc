package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.internal.Ids;
import java.time.Duration;

/** Claims for tests. */
public final class Claims {
  static final Duration LEASE = Duration.ofMinutes(10);
  public static final Duration RETENTION = Duration.ofHours(10);

  private Claims() {}

  public static Key freshKey() {
    return Key.of("payments", Ids.uuid7().toString());
  }

  public static ClaimRequest of(Key key) {
    return of(key, Token.draw());
  }

  public static ClaimRequest of(Key key, Token token) {
    return new ClaimRequest(
        key, token, Fingerprint.of("{}"), LEASE, RETENTION, TakeoverPolicy.IN_DOUBT, "");
  }

  public static ExecutionEnd done() {
    return ExecutionEnd.completed(Codec.utf8().payload("done"));
  }
}
