package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** What exchanges, queues and streams are called, and which partition a message takes. */
final class RabbitNames {
  /**
   * So that the names made of it, with a consumer's and a partition's, are no longer than 255
   * bytes.
   */
  static final int MAX_DESTINATION_BYTES = 170;

  /** What others than we call their exchanges: nobody could tell them apart. */
  private static final Pattern TAKEN = Pattern.compile("amq\\..*|.*\\.lanes-\\d+");

  private final int count;
  private final AtomicInteger turn = new AtomicInteger();

  RabbitNames(int count) {
    this.count = count;
  }

  static void requireCount(int partitions) {
    if (partitions < 1 || partitions > RabbitSettings.MAX_PARTITIONS) {
      throw new InvalidInput(
          "a destination has between 1 and %d partitions".formatted(RabbitSettings.MAX_PARTITIONS));
    }
  }

  static void requireDestination(String destination) {
    if (destination.isEmpty()
        || PrintableText.utf8Length(destination) > MAX_DESTINATION_BYTES
        || !PrintableText.isSafe(destination)) {
      throw new InvalidInput(
          "the destination %s can't be used with RabbitMQ: take up to %d bytes of printable text"
              .formatted(PrintableText.quoted(destination), MAX_DESTINATION_BYTES));
    }
    if (TAKEN.matcher(destination).matches()) {
      throw new InvalidInput(
          "the destination %s looks like an exchange that is there for something else: don't begin it with amq. or end it with .lanes- and a number"
              .formatted(PrintableText.quoted(destination)));
    }
  }

  int count() {
    return count;
  }

  List<String> names() {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  /** For good: a key's messages must never be on two partitions. Those without a key take turns. */
  int of(Message message) {
    int hash =
        message.ordered()
            ? message.orderingKey().hashCode() * 0x9E3779B9
            : turn.getAndIncrement() << 16;
    return (hash >>> 16) % count;
  }

  /**
   * Where messages go that were sent to the destination by others, without a partition. Its name
   * says how many partitions there are, so that the broker itself refuses who thinks there are more
   * or fewer.
   */
  String others(String destination) {
    return destination + ".lanes-" + count;
  }

  static String queue(String destination, String consumer, String partition) {
    return destination + "." + consumer + "." + partition;
  }

  /** The same for a stream, which all consumers share. */
  static String stream(String destination, String partition) {
    return destination + "." + partition;
  }
}
