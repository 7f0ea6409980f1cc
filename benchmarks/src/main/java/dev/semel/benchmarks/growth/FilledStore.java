package dev.semel.benchmarks.growth;

import dev.semel.Key;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.spi.Store;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.UUID;

/**
 * A store filled by its engine's own means with records like the store's: copies of one that it
 * wrote, with other keys and tokens.
 */
interface FilledStore extends AutoCloseable {
  String OPERATION = "payment";

  /** The text before the id in a key. */
  String PREFIX = "default/" + OPERATION + ":";

  String RESPONSE = "receipt";
  Fingerprint FINGERPRINT = Fingerprint.of("10 EUR");

  String name();

  /** Adds the records with these numbers; the last one is exclusive. */
  void fill(long first, long end) throws Exception;

  /** The current store; a fill may reopen it. */
  Store store();

  /** The size of all records and their indexes. */
  long bytes() throws Exception;

  /** The service's processor time so far, in nanoseconds. */
  default long serviceNanos() {
    return 0;
  }

  /** How long to measure. */
  default Duration time() {
    return Duration.ofSeconds(3);
  }

  @Override
  void close();

  /** The id of a record: as random as callers' ids, but reproducible. */
  static String id(long number) {
    try {
      ByteBuffer md5 =
          ByteBuffer.wrap(
              MessageDigest.getInstance("MD5")
                  .digest(Long.toString(number).getBytes(StandardCharsets.US_ASCII)));
      return new UUID(md5.getLong(), md5.getLong()).toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static Key key(String id) {
    return Key.of(OPERATION, id);
  }

  static Outcome<String> execute(Idempotency idempotency, Key key) {
    return idempotency.execute(
        ExecutionRequest.of(key, Codec.utf8()).withFingerprint(FINGERPRINT), execution -> RESPONSE);
  }
}
