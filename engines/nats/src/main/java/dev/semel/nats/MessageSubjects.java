package dev.semel.nats;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import dev.semel.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The subjects of messages in a stream: a destination has numbered partitions for messages with an
 * ordering key, and {@value #ANY} for those without. Other programs may also send to the
 * destination itself.
 */
final class MessageSubjects {
  static final String ANY = "any";

  /** Tokens of visible ASCII, which every server and tool can display. */
  private static final Pattern DESTINATION = Pattern.compile("[!-~&&[^.*>]]+(\\.[!-~&&[^.*>]]+)*");

  /** A destination can't end like a partition, because the two would be ambiguous. */
  private static final Pattern PARTITION = Pattern.compile("(.*\\.)?(any|\\d+)");

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9.]{1,100}");
  private static final int HASH_DIGITS = 12;
  private static final int LONGEST_READABLE = 60;

  private MessageSubjects() {}

  static void require(String destination) {
    if (!DESTINATION.matcher(destination).matches()) {
      throw new InvalidInput(
          "the destination %s is no subject of NATS: use words of visible ASCII with dots between them, without * and >"
              .formatted(PrintableText.quoted(destination)));
    }
    if (PARTITION.matcher(destination).matches()) {
      throw new InvalidInput(
          "the destination %s ends like the name of a partition: let its last word be neither a number nor \"any\""
              .formatted(PrintableText.quoted(destination)));
    }
    if (destination.startsWith("$")) {
      throw new InvalidInput(
          "the destination %s belongs to the server itself: begin it with another character"
              .formatted(PrintableText.quoted(destination)));
    }
  }

  static void requirePattern(String pattern) {
    require(pattern.endsWith(".>") ? pattern.substring(0, pattern.length() - 2) : pattern);
  }

  /** The subjects of a stream with these destinations. */
  static List<String> ofStream(List<String> destinations) {
    List<String> subjects = new ArrayList<>();
    for (String destination : destinations) {
      subjects.add(destination);
      if (!destination.endsWith(".>")) {
        subjects.add(destination + ".*");
      }
    }
    return subjects;
  }

  static boolean covered(String subject, List<String> patterns) {
    return patterns.stream().anyMatch(pattern -> matches(subject, pattern));
  }

  private static boolean matches(String subject, String pattern) {
    String[] words = subject.split("\\.", -1);
    String[] wanted = pattern.split("\\.", -1);
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].equals(">")) {
        return words.length > i;
      }
      if (i >= words.length || !(wanted[i].equals("*") || wanted[i].equals(words[i]))) {
        return false;
      }
    }
    return words.length == wanted.length;
  }

  /**
   * The partition of an ordering key. This must never change: a key's messages must stay in one
   * partition.
   */
  static String partition(String orderingKey, int partitions) {
    if (orderingKey.isEmpty()) {
      return ANY;
    }
    int hash = orderingKey.hashCode() * 0x9E3779B9;
    return Integer.toString((hash >>> 16) % partitions);
  }

  static List<String> partitions(int partitions) {
    List<String> all = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      all.add(Integer.toString(partition));
    }
    all.add(ANY);
    return all;
  }

  /** The broker's name for a consumer of one partition, different for each destination. */
  static String consumer(String consumer, String destination, String partition) {
    return consumer + "_" + safe(destination) + "_" + partition;
  }

  private static String safe(String destination) {
    String safe = destination.replaceAll("[^A-Za-z0-9_-]", "-");
    if (PLAIN.matcher(destination).matches()) {
      return safe;
    }
    String hash = Ids.sha256Hex(destination.getBytes(StandardCharsets.UTF_8));
    return safe.substring(0, Math.min(safe.length(), LONGEST_READABLE))
        + "-"
        + hash.substring(0, HASH_DIGITS);
  }
}
