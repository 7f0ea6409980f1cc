package dev.semel.jdbc.internal.store;

import dev.semel.FirstExecution;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import java.nio.ByteBuffer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.IntUnaryOperator;

/** Converts rows of {@code semel_idempotency} in both directions, for every engine. */
public final class RecordRows {
  /**
   * Every read selects these ten columns in this order; times are already relative to the clock.
   */
  static final int STATE = 1;

  public static final int TOKEN = 2;
  static final int ATTEMPT = 3;
  static final int FINGERPRINT = 4;
  static final int REQUEST_ID = 5;
  static final int LEASE_LEFT = 6;
  static final int RETENTION_LEFT = 7;
  static final int AGE = 8;
  static final int PAYLOAD_TYPE = 9;
  static final int PAYLOAD = 10;

  /** Only listings select this column. */
  public static final int KEY = 11;

  /** A listing's page ends early once its payloads reach this size. */
  public static final int MAX_PAGE_BYTES = 8 << 20;

  /** The most ended records that one transaction removes, so that others get their turn. */
  static final int MAX_PURGED_AT_ONCE = 1000;

  private static final int UUID_BYTES = 16;

  private RecordRows() {}

  public static StoredRecord existing(ResultSet rs, Token token, ChronoUnit unit)
      throws SQLException {
    byte[] payload = rs.getBytes(PAYLOAD); // some sessions return null for an empty payload
    FirstExecution original =
        new FirstExecution(
            text(rs, REQUEST_ID),
            rs.getInt(ATTEMPT),
            Duration.of(Math.max(0, rs.getLong(AGE)), unit),
            Duration.of(rs.getLong(RETENTION_LEFT), unit));
    return new StoredRecord(
        RecordState.of(rs.getString(STATE).charAt(0)),
        token,
        new Fingerprint(text(rs, FINGERPRINT)),
        Duration.of(rs.getLong(LEASE_LEFT), unit),
        new Payload(text(rs, PAYLOAD_TYPE), payload == null ? new byte[0] : payload),
        original);
  }

  /** Returns an empty text for null: some sessions confuse the two. */
  public static String text(ResultSet rs, int column) throws SQLException {
    String text = rs.getString(column);
    return text == null ? "" : text;
  }

  public static boolean live(StoredRecord existing) {
    return existing.original().retentionLeft().isPositive();
  }

  /**
   * Decides on a claim. A record whose retention ended counts as absent, so its row may be taken.
   */
  public static StoredRecord.Decision decide(StoredRecord seen, ClaimRequest request) {
    return live(seen) ? seen.decide(request) : new StoredRecord.Decision.Take(1, false);
  }

  /** Removes up to {@code limit} records in parts, until a part finds too few. */
  public static int inParts(int limit, IntUnaryOperator purge) {
    int purged = 0;
    while (purged < limit) {
      int part = Math.min(limit - purged, MAX_PURGED_AT_ONCE);
      int removed = purge.applyAsInt(part);
      purged += removed;
      if (removed < part) {
        break;
      }
    }
    return purged;
  }

  public static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  public static String code(RecordState state) {
    return String.valueOf(state.code());
  }

  public static byte[] bytes(Token token) {
    return ByteBuffer.allocate(UUID_BYTES)
        .putLong(token.value().getMostSignificantBits())
        .putLong(token.value().getLeastSignificantBits())
        .array();
  }

  public static Token token(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Token(new UUID(buffer.getLong(), buffer.getLong()));
  }
}
