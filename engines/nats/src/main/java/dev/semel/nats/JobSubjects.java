package dev.semel.nats;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.internal.Ids;
import dev.semel.job.JobPriority;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The subjects of jobs in their stream: {@code prefix.queue.kind.hash}, so one pattern matches
 * everything about a key. Notes have one token more, so it does not match them.
 */
record JobSubjects(String prefix) {
  /** Dead letters, and tombstones of recent purges. */
  static final String FAILED = "failed";

  static final String IN_DOUBT = "doubt";
  static final String GONE = "gone";
  private static final String NOTE = "note.of";

  /** Replaces dots in a queue's name, which can't contain this character. */
  private static final char DOT = '=';

  private static final int HASH_DIGITS = 32;

  /** The parts of a subject. */
  record Parts(Operation queue, String kind) {}

  static String hash(Key key) {
    return Ids.sha256Hex(key.text().getBytes(StandardCharsets.UTF_8)).substring(0, HASH_DIGITS);
  }

  static String word(JobPriority priority) {
    return priority.name().toLowerCase(Locale.ROOT);
  }

  String job(Key key, JobPriority priority) {
    return of(key, word(priority));
  }

  String of(Key key, String kind) {
    return queue(key.operation()) + "." + kind + "." + hash(key);
  }

  String note(Key key) {
    return of(key, NOTE);
  }

  String anyOf(Key key) {
    return of(key, "*");
  }

  String any(Operation queue) {
    return any(queue, "*");
  }

  String any(Operation queue, String kind) {
    return queue(queue) + "." + kind + ".*";
  }

  String notes(Operation queue) {
    return any(queue, NOTE);
  }

  String everything(Operation queue) {
    return queue(queue) + ".>";
  }

  private String queue(Operation queue) {
    return prefix + "." + queue.name().replace('.', DOT);
  }

  /** The broker's name for the consumer of a queue's jobs of one priority. */
  static String consumer(Operation queue, JobPriority priority) {
    return word(priority) + "_" + queue.name().replace('.', DOT);
  }

  Parts parts(String subject) {
    String[] words = subject.substring(prefix.length() + 1).split("\\.", -1);
    return new Parts(new Operation(words[0].replace(DOT, '.')), words[1]);
  }
}
