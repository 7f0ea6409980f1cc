package dev.semel.junit.proof;

import java.util.Arrays;
import java.util.Locale;

/**
 * The guarantees that parts of the second ring test. The first ones are the rows of README's table.
 */
public enum Guarantee {
  ONE_RUNS("of all callers with one key, in all processes, one runs", true),
  FENCED("a worker that lost its lease can't overwrite its successor", true),
  REPLAY("a retry gets the first response, byte for byte", true),
  MISMATCH("same key, other request: refused, even while the first one runs", true),
  ONE_TRANSACTION("effect and record in one SQL database: exactly once", true),
  MESSAGES("a message leaves with its transaction, and takes effect once on the other side", true),
  APPENDS(
      "a producer's retry never writes twice, and what was acknowledged survives `kill -9`", true),
  JOBS("a job takes effect, and a second effect is a reported takeover", false),
  OUTAGE("an outage of the store ends with every duplicate effect reported", false),
  ROLLING("servers and gateways stay up while they are replaced", false),
  OPERATIONS("a backup or migration that is killed leaves nothing half done", false),
  SIZE("a million keys, and thousands of streams and readers, are served", false),
  BROWSER("the page works in a browser", false),
  START("the command is quick to start, and is built once", false),
  SERVICES("the services that tests start can be killed and come back", false);

  private final String text;
  private final boolean inReadme;

  Guarantee(String text, boolean inReadme) {
    this.text = text;
    this.inReadme = inReadme;
  }

  /** The guarantee's text in Markdown. */
  public String text() {
    return text;
  }

  /** Whether README contains this guarantee with the same text. */
  public boolean inReadme() {
    return inReadme;
  }

  /** The name in files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Finds a guarantee by its name in files. */
  public static Guarantee of(String id) {
    return Arrays.stream(values())
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no guarantee " + id));
  }
}
