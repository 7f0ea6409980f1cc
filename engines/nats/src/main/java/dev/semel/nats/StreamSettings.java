package dev.semel.nats;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Settings of the JetStream stream that holds the messages.
 *
 * @param name letters, digits, hyphens and underscores
 * @param destinations the stream's destinations; {@code orders.>} covers all with that prefix
 * @param partitions how many partitions for messages with an ordering key, each with one message at
 *     a time in flight; never change it, because it decides where a key's messages are
 * @param duplicateWindow how long the broker remembers an id; at least as long as a message may be
 *     sent again
 * @param maxAge the age at which messages are dropped, delivered or not; zero: never
 * @param maxBytes the size at which messages are refused; zero: no limit
 */
public record StreamSettings(
    String name,
    List<String> destinations,
    int partitions,
    Duration duplicateWindow,
    int replicas,
    Storage storage,
    Retention retention,
    Duration maxAge,
    long maxBytes) {
  public static final int MAX_PARTITIONS = 64;
  public static final int DEFAULT_PARTITIONS = 8;
  public static final Duration DEFAULT_DUPLICATE_WINDOW = Duration.ofMinutes(10);

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  /** Where the broker stores messages. */
  public enum Storage {
    FILE,
    MEMORY
  }

  /** How long the broker keeps messages. */
  public enum Retention {
    /** Up to a limit, for any number of consumers. */
    LIMITS,
    /** Until the only consumer has acknowledged them. */
    WORK_QUEUE
  }

  public StreamSettings {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidInput(
          "the stream's name %s can't be used: take letters, digits, hyphens and underscores"
              .formatted(PrintableText.quoted(name)));
    }
    destinations = List.copyOf(destinations);
    if (destinations.isEmpty()) {
      throw new InvalidInput("the stream " + name + " takes nothing: name a destination");
    }
    destinations.forEach(MessageSubjects::requirePattern);
    if (partitions < 1 || partitions > MAX_PARTITIONS) {
      throw new InvalidInput("a stream has between 1 and %d partitions".formatted(MAX_PARTITIONS));
    }
    if (duplicateWindow.toMillis() < 100) {
      throw new InvalidInput("the duplicate window is too short: give it at least 100 ms");
    }
    if (replicas < 1 || replicas > 5) {
      throw new InvalidInput("a stream has between 1 and 5 replicas: 1 or 3 is usual");
    }
    if (maxAge.isNegative() || maxBytes < 0) {
      throw new InvalidInput("a limit of a stream can't be negative: zero is none");
    }
    if (!maxAge.isZero() && maxAge.compareTo(duplicateWindow) < 0) {
      throw new InvalidInput(
          "messages would be dropped (maxAge %s) while their ids are known (duplicateWindow %s):"
                  .formatted(maxAge, duplicateWindow)
              + " make maxAge longer");
    }
  }

  public static StreamSettings of(String name, String... destinations) {
    return new StreamSettings(
        name,
        List.of(destinations),
        DEFAULT_PARTITIONS,
        DEFAULT_DUPLICATE_WINDOW,
        1,
        Storage.FILE,
        Retention.LIMITS,
        Duration.ZERO,
        0);
  }

  public StreamSettings withPartitions(int value) {
    return new StreamSettings(
        name, destinations, value, duplicateWindow, replicas, storage, retention, maxAge, maxBytes);
  }

  public StreamSettings withDuplicateWindow(Duration value) {
    return new StreamSettings(
        name, destinations, partitions, value, replicas, storage, retention, maxAge, maxBytes);
  }

  public StreamSettings withReplicas(int value) {
    return new StreamSettings(
        name,
        destinations,
        partitions,
        duplicateWindow,
        value,
        storage,
        retention,
        maxAge,
        maxBytes);
  }

  public StreamSettings withStorage(Storage value) {
    return new StreamSettings(
        name,
        destinations,
        partitions,
        duplicateWindow,
        replicas,
        value,
        retention,
        maxAge,
        maxBytes);
  }

  public StreamSettings withRetention(Retention value) {
    return new StreamSettings(
        name,
        destinations,
        partitions,
        duplicateWindow,
        replicas,
        storage,
        value,
        maxAge,
        maxBytes);
  }

  public StreamSettings withMaxAge(Duration value) {
    return new StreamSettings(
        name,
        destinations,
        partitions,
        duplicateWindow,
        replicas,
        storage,
        retention,
        value,
        maxBytes);
  }

  public StreamSettings withMaxBytes(long value) {
    return new StreamSettings(
        name,
        destinations,
        partitions,
        duplicateWindow,
        replicas,
        storage,
        retention,
        maxAge,
        value);
  }
}
