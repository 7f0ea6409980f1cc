package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.stream.internal.HeaderDigits;
import java.time.Duration;

/**
 * How an {@link IdempotentProducer} works.
 *
 * @param start under which epoch
 * @param claimsAfterFencing whether it takes a new epoch when another one has taken over, instead
 *     of stopping. What was sent without an answer until then is reported, not repeated: it may be
 *     in the stream
 * @param maxBatchBytes a batch takes no further message beyond that; one that is larger goes alone
 * @param linger how long a batch waits for more messages; zero: only while requests are under way
 * @param maxInFlight requests at a time
 * @param maxPendingBytes of messages that are not acknowledged; who appends more waits
 * @param maxWait how long it waits for room
 * @param requestTimeout for an answer; then the request is repeated
 * @param giveUpAfter how old a message that can't be delivered may become before the producer stops
 */
public record ProducerSettings(
    Start start,
    boolean claimsAfterFencing,
    int maxBatchBytes,
    Duration linger,
    int maxInFlight,
    long maxPendingBytes,
    Duration maxWait,
    Duration requestTimeout,
    Duration giveUpAfter) {
  /** Servers know a producer's last five batches. */
  public static final int MOST_IN_FLIGHT = 5;

  /** Where a producer begins. */
  public sealed interface Start {
    /** Asks the server, and takes a higher epoch than any before: older lives are fenced. */
    record Claim() implements Start {}

    /** This epoch, from sequence 0, without asking: it must never have been used. */
    record Fixed(long epoch) implements Start {
      public Fixed {
        HeaderDigits.check("the producer's epoch", epoch);
      }
    }

    /** This epoch, behind the last sequence that the server has: the same life goes on. */
    record Resume(long epoch) implements Start {
      public Resume {
        HeaderDigits.check("the producer's epoch", epoch);
      }
    }
  }

  public ProducerSettings {
    if (maxBatchBytes < 1) {
      throw new InvalidInput("maxBatchBytes must be at least 1");
    }
    if (maxInFlight < 1 || maxInFlight > MOST_IN_FLIGHT) {
      throw new InvalidInput(
          "maxInFlight must be from 1 to %d: servers know that many batches back"
              .formatted(MOST_IN_FLIGHT));
    }
    if (maxPendingBytes < maxBatchBytes) {
      throw new InvalidInput("maxPendingBytes must be at least maxBatchBytes");
    }
    if (linger.isNegative() || maxWait.isNegative()) {
      throw new InvalidInput("linger and maxWait can't be negative");
    }
    if (!requestTimeout.isPositive() || !giveUpAfter.isPositive()) {
      throw new InvalidInput("requestTimeout and giveUpAfter must be longer than nothing");
    }
  }

  public static ProducerSettings defaults() {
    return new ProducerSettings(
        new Start.Claim(),
        false,
        1 << 20,
        Duration.ofMillis(5),
        MOST_IN_FLIGHT,
        32 << 20,
        Duration.ofMinutes(1),
        Duration.ofSeconds(30),
        Duration.ofMinutes(2));
  }

  /** Its own epoch, which nobody used before. */
  public ProducerSettings withEpoch(long epoch) {
    return withStart(new Start.Fixed(epoch));
  }

  /** Goes on in an epoch of before. */
  public ProducerSettings withResumedEpoch(long epoch) {
    return withStart(new Start.Resume(epoch));
  }

  private ProducerSettings withStart(Start other) {
    return new ProducerSettings(
        other,
        claimsAfterFencing,
        maxBatchBytes,
        linger,
        maxInFlight,
        maxPendingBytes,
        maxWait,
        requestTimeout,
        giveUpAfter);
  }

  public ProducerSettings withClaimsAfterFencing(boolean other) {
    return new ProducerSettings(
        start,
        other,
        maxBatchBytes,
        linger,
        maxInFlight,
        maxPendingBytes,
        maxWait,
        requestTimeout,
        giveUpAfter);
  }

  public ProducerSettings withMaxBatchBytes(int other) {
    return new ProducerSettings(
        start,
        claimsAfterFencing,
        other,
        linger,
        maxInFlight,
        maxPendingBytes,
        maxWait,
        requestTimeout,
        giveUpAfter);
  }

  public ProducerSettings withLinger(Duration other) {
    return new ProducerSettings(
        start,
        claimsAfterFencing,
        maxBatchBytes,
        other,
        maxInFlight,
        maxPendingBytes,
        maxWait,
        requestTimeout,
        giveUpAfter);
  }

  public ProducerSettings withMaxInFlight(int other) {
    return new ProducerSettings(
        start,
        claimsAfterFencing,
        maxBatchBytes,
        linger,
        other,
        maxPendingBytes,
        maxWait,
        requestTimeout,
        giveUpAfter);
  }

  /** How much may wait, and for how long whoever appends more waits for room. */
  public ProducerSettings withMaxPending(long bytes, Duration wait) {
    return new ProducerSettings(
        start,
        claimsAfterFencing,
        maxBatchBytes,
        linger,
        maxInFlight,
        bytes,
        wait,
        requestTimeout,
        giveUpAfter);
  }

  public ProducerSettings withTimeouts(Duration request, Duration giveUp) {
    return new ProducerSettings(
        start,
        claimsAfterFencing,
        maxBatchBytes,
        linger,
        maxInFlight,
        maxPendingBytes,
        maxWait,
        request,
        giveUp);
  }
}
