package dev.semel.redis.internal.streams;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;

/**
 * One of a destination's streams. All its names begin with {@code semel:m:{destination/number}}, so
 * they share a slot, and partitions spread over a cluster.
 */
public record StreamPartition(String destination, int number) {
  private static final String PREFIX = "semel:m:";

  public static void requireDestination(String destination) {
    if (destination.indexOf('{') >= 0 || destination.indexOf('}') >= 0) {
      throw new InvalidInput(
          "the destination %s has braces, which mean something to a Redis Cluster: use other characters"
              .formatted(PrintableText.quoted(destination)));
    }
  }

  /**
   * The partition of a message. This must never change: a key's messages, and copies of a message,
   * must stay in one partition. Messages without a key are spread by id.
   */
  public static StreamPartition of(Message message, int partitions) {
    String by = message.ordered() ? message.orderingKey() : message.id();
    int hash = by.hashCode() * 0x9E3779B9;
    return new StreamPartition(message.destination(), (hash >>> 16) % partitions);
  }

  /** The key with the destination's number of partitions. */
  public static byte[] count(String destination) {
    return bytes(PREFIX + "{" + destination + "}:lanes");
  }

  /** The key with the members that share the destination under this consumer name. */
  public static byte[] members(String destination, String consumer) {
    return bytes(PREFIX + "{" + destination + "}:members:" + consumer);
  }

  /** The channel on which readers hear that an empty partition got a message. */
  static byte[] channel(String destination) {
    return bytes(PREFIX + destination);
  }

  String name() {
    return Integer.toString(number);
  }

  public byte[] stream() {
    return key("");
  }

  public byte[] ids() {
    return key(":ids");
  }

  public byte[] earlierIds() {
    return key(":ids-earlier");
  }

  public byte[] rest() {
    return key(":rest");
  }

  public byte[] lease(String consumer) {
    return key(":lease:" + consumer);
  }

  private byte[] key(String suffix) {
    return bytes(PREFIX + "{" + destination + "/" + number + "}" + suffix);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
