package dev.semel.nats;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.stream.SharedStreams;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.SharedLog;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.ApiResponse;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamInfo;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One JetStream stream as the shared log of stream servers: each path has a subject, and the stream
 * accepts a message only after the last one of its subject that its writer knows. Reads that must
 * be current go to the stream's leader.
 */
public final class JetStreamLog implements SharedLog {
  private static final int NOT_STORED = 10077;

  /** Out of storage: the stream, its account, or all servers. */
  private static final Set<Integer> NO_STORAGE = Set.of(10023, 10028, 10047);

  private static final byte[] NOTHING = {};

  /** The size of our headers, beside the data. */
  private static final int HEADER_BYTES = 512;

  private static final int HASH_DIGITS = 32;

  /** How long a good reading of the leader's clock is used. */
  private static final Duration CLOCK_AGE = Duration.ofSeconds(30);

  /**
   * A reading of the leader's clock, with our own time at it, accurate to half the round trip.
   *
   * @param took in nanoseconds
   */
  private record Reading(Instant said, long nanos, long took) {
    boolean better(Reading than) {
      return took <= than.took || nanos - than.nanos > CLOCK_AGE.toNanos();
    }
  }

  private final NatsLink link;
  private final StreamsSettings settings;
  private final int maxBytes;
  private final StreamsCheckpoints checkpoints;
  private volatile Reading reading;
  private volatile @Nullable StreamsFollower following;

  private JetStreamLog(NatsLink link, StreamsSettings settings, Instant now) {
    this.link = link;
    this.settings = settings;
    this.maxBytes =
        (int) Math.min(Integer.MAX_VALUE, link.require().getMaxPayload()) - HEADER_BYTES;
    this.checkpoints = new StreamsCheckpoints(link, settings, maxBytes);
    this.reading = new Reading(now, System.nanoTime(), Long.MAX_VALUE);
  }

  /**
   * Opens the streams that all servers on one JetStream stream share; creates that if it is
   * missing.
   *
   * @throws StoreException NATS is unreachable or older than 2.10, or the JetStream stream has
   *     other settings
   */
  public static SharedStreams openStreams(StreamsSettings settings) {
    return openStreams(settings, StreamLimits.defaults());
  }

  public static SharedStreams openStreams(StreamsSettings settings, StreamLimits limits) {
    return SharedStreams.open(open(settings), limits);
  }

  /**
   * Deletes all temporary streams; no server may use them any more. Missing ones are no error.
   *
   * @throws StoreException they may still exist
   */
  public static void removeStreams(StreamsSettings settings) {
    try (NatsLink link = NatsLink.open(settings.connection())) {
      StreamCheck.remove(link.require(), settings.name());
      StreamCheck.remove(link.require(), StreamsCheckpoints.stream(settings));
    }
  }

  static JetStreamLog open(StreamsSettings settings) {
    NatsLink link = NatsLink.open(settings.connection());
    try {
      StreamInfo there = StreamsStream.ensure(link.require(), settings);
      return new JetStreamLog(link, settings, said(there));
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  private static Instant said(StreamInfo info) {
    ZonedDateTime said = info.getTimestamp();
    if (said == null) {
      throw new StoreException("the server does not tell its time: use 2.10 or newer");
    }
    return said.toInstant();
  }

  private String subject(StreamPath path) {
    byte[] text = path.text().getBytes(StandardCharsets.UTF_8);
    return settings.prefix() + "." + Ids.sha256Hex(text).substring(0, HASH_DIGITS);
  }

  private <A> CompletionStage<A> request(
      String subject, @Nullable Headers headers, byte[] body, Function<Message, A> read) {
    CompletableFuture<Message> asked;
    try {
      asked = link.require().requestWithTimeout(subject, headers, body, settings.timeout());
    } catch (IllegalStateException e) { // closed meanwhile, or its buffers are full
      return CompletableFuture.failedFuture(new StoreException(link.why(), e));
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
    return asked.handle(
        (message, failure) -> {
          if (failure != null) {
            throw new StoreException(
                "NATS did not answer within %s: what was asked for may have happened or not"
                    .formatted(settings.timeout()),
                failure);
          }
          return read.apply(message);
        });
  }

  private <A> CompletionStage<A> get(String which, Function<Optional<MessageInfo>, A> read) {
    return request(
        "$JS.API.STREAM.MSG.GET." + settings.name(),
        null,
        which.getBytes(StandardCharsets.US_ASCII),
        message -> {
          MessageInfo found = new MessageInfo(message, settings.name(), false);
          return read.apply(missing(found) ? Optional.empty() : Optional.of(found));
        });
  }

  private static boolean missing(ApiResponse<?> answer) {
    return NatsErrors.missing(answer, "the log of the streams");
  }

  @Override
  public CompletionStage<Put> put(StreamPath path, long expected, byte[] message) {
    Headers headers = new Headers();
    headers.put(NatsMessages.EXPECTED_LAST, Long.toString(expected));
    headers.put(NatsMessages.EXPECTED_STREAM, settings.name());
    return request(subject(path), headers, message, JetStreamLog::confirmed);
  }

  private static Put confirmed(Message answer) {
    try {
      return new Put.Stored(new PublishAck(answer).getSeqno());
    } catch (JetStreamApiException e) {
      if (NatsErrors.WRONG_LAST_SEQUENCE.contains(e.getApiErrorCode())) {
        return new Put.Refused();
      }
      if (full(e)) {
        return new Put.Full();
      }
      throw NatsErrors.of(e);
    } catch (IOException e) {
      throw new StoreException("the answer to a message can't be read", e);
    }
  }

  /** One code covers all reasons why a message was not stored; only its text differs. */
  private static boolean full(JetStreamApiException e) {
    return NO_STORAGE.contains(e.getApiErrorCode())
        || (e.getApiErrorCode() == NOT_STORED
            && e.getErrorDescription().toLowerCase(Locale.ROOT).contains("maximum"));
  }

  @Override
  public CompletionStage<Long> last(StreamPath path) {
    return get(
        "{\"last_by_subj\":\"%s\"}".formatted(subject(path)),
        found -> found.map(MessageInfo::getSeq).orElse(0L));
  }

  @Override
  public CompletionStage<Long> last() {
    long before = System.nanoTime();
    return request(
        "$JS.API.STREAM.INFO." + settings.name(),
        null,
        NOTHING,
        message -> {
          StreamInfo info = new StreamInfo(message);
          boolean unused = missing(info);
          long took = System.nanoTime() - before;
          Reading read = new Reading(said(info), before + took / 2, took);
          reading = read.better(reading) ? read : reading;
          return info.getStreamState().getLastSequence();
        });
  }

  @Override
  public CompletionStage<Optional<byte[]>> get(long sequence) {
    return get("{\"seq\":" + sequence + "}", found -> found.map(JetStreamLog::data));
  }

  private static byte[] data(MessageInfo message) {
    byte[] data = message.getData();
    return data == null ? NOTHING : data;
  }

  /** One at a time, so that it never delays other requests. */
  @Override
  public void drop(List<Long> sequences) {
    drop(sequences, 0);
  }

  private void drop(List<Long> sequences, int from) {
    if (from == sequences.size()) {
      return;
    }
    String which = "{\"seq\":" + sequences.get(from) + ",\"no_erase\":true}";
    CompletionStage<Boolean> dropped =
        request(
            "$JS.API.STREAM.MSG.DELETE." + settings.name(),
            null,
            which.getBytes(StandardCharsets.US_ASCII),
            message -> true);
    CompletionStage<Void> unused = dropped.thenRun(() -> drop(sequences, from + 1));
  }

  @Override
  public int maxBytes() {
    return maxBytes;
  }

  /** The leader's clock at the last reading, plus the time passed here. */
  @Override
  public InstantSource clock() {
    return () -> {
      Reading last = reading;
      return last.said().plusNanos(System.nanoTime() - last.nanos());
    };
  }

  @Override
  public void follow(long after, Follower follower) {
    following = StreamsFollower.start(link, settings, after, follower);
  }

  @Override
  public Optional<Checkpoint> checkpoint() {
    return checkpoints.newest();
  }

  @Override
  public void leave(Checkpoint checkpoint) {
    checkpoints.leave(checkpoint);
  }

  @Override
  public void close() {
    StreamsFollower open = following;
    if (open != null) {
      open.close();
    }
    link.close();
  }
}
