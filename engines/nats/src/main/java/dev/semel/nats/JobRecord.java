package dev.semel.nats;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.idempotency.Fingerprint;
import dev.semel.internal.PrintableText;
import dev.semel.job.DeadLetterReason;
import dev.semel.job.Job;
import dev.semel.job.JobPriority;
import dev.semel.job.spi.JobState;
import io.nats.client.api.MessageInfo;
import io.nats.client.impl.Headers;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message of the jobs' stream: a job, a dead letter, a note about a job, or a tombstone of a
 * purge. Headers hold everything but the payload and a failure's text, which precedes the payload
 * because headers are short.
 */
@SuppressWarnings("ArrayRecordComponent")
record JobRecord(String subject, long sequence, Instant time, Headers headers, byte[] body) {
  static final String KEY = "Semel-Key";
  static final String ID = "Semel-Job-Id";
  static final String PRIORITY = "Semel-Priority";
  static final String FINGERPRINT = "Semel-Fingerprint";
  static final String DELAY = "Semel-Delay";
  static final String RETENTION = "Semel-Retention";
  static final String HEADER = "Semel-Header";

  /** The message that this one enqueued again. */
  static final String REPLACES = "Semel-Replaces";

  /** The job's message that a dead letter, note or tombstone is about. */
  static final String ABOUT = "Semel-About";

  static final String BURIAL = "Semel-Burial";
  static final String ENQUEUED = "Semel-Enqueued";
  static final String ATTEMPTS = "Semel-Attempts";
  static final String LOST = "Semel-Lost";
  static final String DELIVERED = "Semel-Delivered";
  static final String WAITS_UNTIL = "Semel-Waits-Until";
  static final String ERROR_BYTES = "Semel-Error-Bytes";

  static JobRecord of(MessageInfo found) {
    return new JobRecord(
        Objects.requireNonNull(found.getSubject()),
        found.getSeq(),
        Objects.requireNonNull(found.getTime()).toInstant(),
        Objects.requireNonNullElseGet(found.getHeaders(), Headers::new),
        Objects.requireNonNullElse(found.getData(), JobStream.nothing()));
  }

  static Headers headers(Job job) {
    Headers headers = new Headers();
    headers.put(KEY, NatsMessages.encode(job.key().text()));
    headers.put(ID, NatsMessages.encode(job.id()));
    headers.put(PRIORITY, JobSubjects.word(job.priority()));
    if (!job.fingerprint().text().isEmpty()) {
      headers.put(FINGERPRINT, NatsMessages.encode(job.fingerprint().text()));
    }
    headers.put(DELAY, job.delay().toString());
    headers.put(RETENTION, job.retention().toString());
    job.headers()
        .forEach((name, value) -> headers.add(HEADER, urlEncoded(name) + "=" + urlEncoded(value)));
    return headers;
  }

  private static String urlEncoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String urlDecoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  Optional<String> text(String name) {
    String value = headers.getFirst(name);
    return value == null ? Optional.empty() : Optional.of(NatsMessages.decode(value, true));
  }

  private String require(String name) {
    return text(name)
        .orElseThrow(
            () ->
                new StoreException(
                    "the message %d on %s is no job of ours (it has no %s): delete it"
                        .formatted(sequence, PrintableText.quoted(subject), name)));
  }

  long number(String name) {
    return text(name).map(Long::parseLong).orElse(0L);
  }

  Key key() {
    return Key.parse(require(KEY));
  }

  Job job() {
    Map<String, String> more = new LinkedHashMap<>();
    List<String> given = headers.get(HEADER);
    for (String header : given == null ? List.<String>of() : given) {
      int split = header.indexOf('=');
      more.put(urlDecoded(header.substring(0, split)), urlDecoded(header.substring(split + 1)));
    }
    return new Job(
        key(),
        require(ID),
        Arrays.copyOfRange(body, errorBytes(), body.length),
        more,
        priority(),
        new Fingerprint(text(FINGERPRINT).orElse("")),
        Duration.parse(require(DELAY)),
        Duration.parse(require(RETENTION)));
  }

  JobPriority priority() {
    String word = require(PRIORITY);
    return Arrays.stream(JobPriority.values())
        .filter(each -> JobSubjects.word(each).equals(word))
        .findFirst()
        .orElseThrow(
            () -> new StoreException("a job has no priority " + PrintableText.quoted(word)));
  }

  private int errorBytes() {
    return (int) number(ERROR_BYTES);
  }

  String error() {
    return new String(body, 0, errorBytes(), StandardCharsets.UTF_8);
  }

  int payloadBytes() {
    return body.length - errorBytes();
  }

  /** Why the job is a dead letter; empty: it is none. */
  Optional<DeadLetterReason> burial() {
    return text(BURIAL).map(DeadLetterReason::valueOf);
  }

  boolean isJob() {
    return !headers.containsKey(ABOUT);
  }

  boolean isGone() {
    return !isJob() && burial().isEmpty();
  }

  /** When the job was enqueued. */
  Instant enqueued() {
    return isJob() ? time : Instant.ofEpochMilli(number(ENQUEUED));
  }

  Instant due() {
    return enqueued().plus(Duration.parse(require(DELAY)));
  }

  /** Whether a dead letter has expired, or a new job may replace it anyway. */
  boolean makesWay(Instant now, Duration deadRetention) {
    return isGone()
        || burial().filter(why -> !why.keepsItsKey()).isPresent()
        || isOver(now, deadRetention);
  }

  boolean isOver(Instant now, Duration deadRetention) {
    @Nullable DeadLetterReason why = burial().orElse(null);
    if (why == null) {
      return false;
    }
    Duration kept =
        why == DeadLetterReason.FINAL ? Duration.parse(require(RETENTION)) : deadRetention;
    return !time.plus(kept).isAfter(now);
  }

  JobState deadState() {
    return burial().orElseThrow().state();
  }

  /** The failure's text before the payload, cut so that everything fits. */
  static byte[] withError(Headers headers, String error, byte[] payload, long room) {
    byte[] text = error.getBytes(StandardCharsets.UTF_8);
    int length = Math.clamp(room - payload.length, 0, text.length);
    while (length > 0 && length < text.length && (text[length] & 0xC0) == 0x80) {
      length--; // not inside a character
    }
    headers.put(ERROR_BYTES, Integer.toString(length));
    byte[] body = Arrays.copyOf(text, length + payload.length);
    System.arraycopy(payload, 0, body, length, payload.length);
    return body;
  }
}
