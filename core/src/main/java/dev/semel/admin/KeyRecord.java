package dev.semel.admin;

import dev.semel.Key;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.KeyEntry;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A record as operators see it: without its token, and with only the type and size of its response.
 *
 * @param requestId the claimant's request id; empty: it gave none
 * @param leaseLeft only while it is in flight; zero when it is in doubt
 * @param fingerprint empty: none was kept
 * @param exitCode the exit code, for the record of a command
 */
public record KeyRecord(
    Key key,
    KeyState state,
    int attempt,
    String requestId,
    Duration age,
    Optional<Duration> leaseLeft,
    Duration retentionLeft,
    String fingerprint,
    String payloadType,
    int payloadBytes,
    OptionalInt exitCode) {
  /** The payload type of a command's result; its first four bytes are the exit code. */
  public static final String COMMAND_RESULT = "application/vnd.semel.run.v1";

  public static KeyRecord of(KeyEntry entry) {
    StoredRecord existing = entry.existing();
    return new KeyRecord(
        entry.key(),
        KeyState.of(entry),
        existing.original().attempt(),
        existing.original().requestId(),
        existing.original().age(),
        existing.state() == RecordState.IN_FLIGHT
            ? Optional.of(atLeastZero(existing.leaseLeft()))
            : Optional.empty(),
        existing.original().retentionLeft(),
        existing.fingerprint().text(),
        existing.payload().type(),
        existing.payload().bytes().length,
        exitCode(existing.payload()));
  }

  private static OptionalInt exitCode(Payload payload) {
    return payload.type().equals(COMMAND_RESULT) && payload.bytes().length >= Integer.BYTES
        ? OptionalInt.of(ByteBuffer.wrap(payload.bytes()).getInt())
        : OptionalInt.empty();
  }

  private static Duration atLeastZero(Duration left) {
    return left.isNegative() ? Duration.ZERO : left;
  }
}
