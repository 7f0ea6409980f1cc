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
 * A store that is filled by its engine's own means with records like those the store writes: all
 * are copies of one that it wrote, under other keys and tokens.
 */
interface FilledStore extends AutoCloseable {
  String OPERATION = "payment";

  /** What stands before an id in a key's text. */
  String PREFIX = "default/" + OPERATION + ":";

  String RESPONSE = "receipt";
  Fingerprint FINGERPRINT = Fingerprint.of("10 EUR");

  String name();

  /** Puts the records with these numbers there; the last is not among them. */
  void fill(long first, long end) throws Exception;

  /** Of the moment: a fill may open it anew. */
  Store store();

  /** What all records and what finds them takes up. */
  long bytes() throws Exception;

  /** Processor time that the service has taken so far, in nanoseconds. */
  default long serviceNanos() {
    return 0;
  }

  /** How long to look at it. */
  default Duration time() {
    return Duration.ofSeconds(3);
  }

  @Override
  void close();

  /** The id of a record: as random as those that callers send, and known again. */
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
