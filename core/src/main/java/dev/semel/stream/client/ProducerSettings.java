package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.stream.internal.HeaderDigits;
import java.time.Duration;

/**
 * Epoch, batching and limits of an {@link IdempotentProducer}.
 *
 * @param start the epoch to begin with
 * @param claimsAfterFencing true: when another producer has taken over, claim a new epoch instead
 *     of stopping. Batches without an answer until then are reported, not repeated: they may be in
 *     the stream
 * @param maxBatchBytes limit of a batch; a larger message is sent alone
 * @param linger how long a batch waits for more messages; zero: only while requests are in flight
 * @param maxInFlight how many requests may be in flight
 * @param maxPendingBytes limit of unacknowledged messages; further appends wait
 * @param maxWait how long an append waits for room
 * @param requestTimeout how long to wait for an answer before the request is repeated
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
  /** Servers recognise a producer's last five batches. */
  public static final int MOST_IN_FLIGHT = 5;

  /** The epoch in which a producer begins. */
  public sealed interface Start {
    /** Asks the server, and claims a higher epoch than any before, which fences older producers. */
    record Claim() implements Start {}

    /** This epoch, from sequence 0, without asking: it must never have been used. */
    record Fixed(long epoch) implements Start {
      public Fixed {
        HeaderDigits.check("the producer's epoch", epoch);
      }
    }

    /** This epoch, after the last sequence that the server has: continues the same producer. */
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

  /** Starts in this epoch, which must never have been used. */
  public ProducerSettings withEpoch(long epoch) {
    return withStart(new Start.Fixed(epoch));
  }

  /** Continues in an epoch that was used before. */
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

  /** How many bytes may be pending, and how long a further append waits for room. */
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
