package dev.semel.job;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.idempotency.Fingerprint;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Work to be queued and done once per key. Two jobs with the same key are the same job. Do not
 * change its arrays.
 *
 * @param key its operation is the queue's name
 * @param id names this request in events and listings; of two requests with one key, the first
 *     one's is kept
 * @param fingerprint another fingerprint under the same key is another job, and is refused; none
 *     matches every other
 * @param delay from when it is added until it may run
 * @param retention how long its record is kept once it is done
 */
@SuppressWarnings("ArrayRecordComponent")
public record Job(
    Key key,
    String id,
    byte[] payload,
    Map<String, String> headers,
    JobPriority priority,
    Fingerprint fingerprint,
    Duration delay,
    Duration retention) {
  public static final int MAX_PAYLOAD_BYTES = 1 << 20;
  public static final int MAX_ID_BYTES = 128;
  public static final int MAX_HEADERS = 64;
  public static final int MAX_HEADER_BYTES = 16 << 10;
  public static final Duration DEFAULT_RETENTION = Duration.ofHours(24);
  public static final Duration MAX_RETENTION = Duration.ofDays(3650);
  public static final Duration MAX_DELAY = Duration.ofDays(3650);

  public Job {
    if (id.isEmpty() || PrintableText.utf8Length(id) > MAX_ID_BYTES || !PrintableText.isSafe(id)) {
      throw new InvalidInput(
          "the job's id %s is not valid: 1 to %d bytes, no control characters"
              .formatted(PrintableText.quoted(id), MAX_ID_BYTES));
    }
    if (payload.length > MAX_PAYLOAD_BYTES) {
      throw new InvalidInput(
          "the job's payload is %d bytes long and the limit is %d: store it elsewhere and name it"
              .formatted(payload.length, MAX_PAYLOAD_BYTES));
    }
    checkTime("delay", delay, MAX_DELAY);
    checkTime("retention", retention, MAX_RETENTION);
    headers = checked(headers);
  }

  /** A job with a new id, at normal priority, due at once, kept for a day. */
  public static Job of(Key key, byte[] payload) {
    return new Job(
        key,
        Ids.uuid7().toString(),
        payload,
        Map.of(),
        JobPriority.NORMAL,
        Fingerprint.NONE,
        Duration.ZERO,
        DEFAULT_RETENTION);
  }

  public static Job of(Key key, String payload) {
    return of(key, payload.getBytes(StandardCharsets.UTF_8));
  }

  public Operation queue() {
    return key.operation();
  }

  public String text() {
    return new String(payload, StandardCharsets.UTF_8);
  }

  public Job withKey(Key value) {
    return new Job(value, id, payload, headers, priority, fingerprint, delay, retention);
  }

  public Job withId(String value) {
    return new Job(key, value, payload, headers, priority, fingerprint, delay, retention);
  }

  public Job withPayload(byte[] value) {
    return new Job(key, id, value, headers, priority, fingerprint, delay, retention);
  }

  /** Adds a header, or replaces its value. */
  public Job withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Job(key, id, payload, more, priority, fingerprint, delay, retention);
  }

  public Job withPriority(JobPriority value) {
    return new Job(key, id, payload, headers, value, fingerprint, delay, retention);
  }

  public Job withFingerprint(Fingerprint value) {
    return new Job(key, id, payload, headers, priority, value, delay, retention);
  }

  public Job withDelay(Duration value) {
    return new Job(key, id, payload, headers, priority, fingerprint, value, retention);
  }

  public Job withRetention(Duration value) {
    return new Job(key, id, payload, headers, priority, fingerprint, delay, value);
  }

  private static void checkTime(String what, Duration value, Duration most) {
    if (value.isNegative() || value.compareTo(most) > 0) {
      throw new InvalidInput(
          "a job's %s is from 0 to %d days, not %s".formatted(what, most.toDays(), value));
    }
  }

  private static Map<String, String> checked(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return Map.of();
    }
    int bytes = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      if (!PrintableText.isSafe(header.getKey()) || !PrintableText.isSafe(header.getValue())) {
        throw new InvalidInput(
            "the job's header %s holds control characters or broken text: use printable text"
                .formatted(PrintableText.quoted(header.getKey())));
      }
      bytes +=
          PrintableText.utf8Length(header.getKey()) + PrintableText.utf8Length(header.getValue());
    }
    if (headers.size() > MAX_HEADERS || bytes > MAX_HEADER_BYTES) {
      throw new InvalidInput(
          "the job has %d headers of %d bytes and the limits are %d and %d: use the payload"
              .formatted(headers.size(), bytes, MAX_HEADERS, MAX_HEADER_BYTES));
    }
    return Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }
}
