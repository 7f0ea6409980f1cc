package dev.semel.server.subscription.internal.rules;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.stream.StreamPath;
import java.util.Optional;

/**
 * A pattern of stream paths: {@code *} matches one segment, {@code **} any number of them, also
 * none. {@code %2A} is a segment that is itself a star.
 */
public final class StreamGlob {
  /** Longest pattern, in characters. */
  static final int MAX_LENGTH = 1024;

  private enum Kind {
    NAME,
    ONE,
    ANY
  }

  private final String text;
  private final String[] names;
  private final Kind[] kinds;

  private StreamGlob(String text) {
    this.text = text;
    String[] segments = text.split("/", -1);
    this.names = new String[segments.length];
    this.kinds = new Kind[segments.length];
    for (int i = 0; i < segments.length; i++) {
      kinds[i] =
          switch (segments[i]) {
            case "*" -> Kind.ONE;
            case "**" -> Kind.ANY;
            default -> Kind.NAME;
          };
      names[i] = segments[i].replace("%2A", "*").replace("%2a", "*");
    }
  }

  public static StreamGlob parse(String text) {
    String stripped = StreamPaths.strip(text);
    if (stripped.isEmpty()
        || stripped.length() > MAX_LENGTH
        || stripped.contains("//")
        || stripped.startsWith(StreamPath.RESERVED)
        || !PrintableText.isSafe(stripped)) {
      throw new InvalidInput(
          "the pattern %s can't match a stream: write one such as orders/* or orders/**, at most %d characters"
              .formatted(PrintableText.quoted(text), MAX_LENGTH));
    }
    return new StreamGlob(stripped);
  }

  /**
   * Goes back only to the last {@code **}, so that no pattern takes longer than its length times
   * the path's.
   */
  boolean matches(StreamPath path) {
    String[] segments = path.text().split("/", -1);
    int at = 0;
    int retry = -1;
    int retryFrom = 0;
    for (int i = 0; i < segments.length; ) {
      if (at < kinds.length && kinds[at] == Kind.ANY) {
        retry = at++;
        retryFrom = i;
      } else if (at < kinds.length && fits(at, segments[i])) {
        at++;
        i++;
      } else if (retry >= 0) {
        at = retry + 1;
        i = ++retryFrom;
      } else {
        return false;
      }
    }
    while (at < kinds.length && kinds[at] == Kind.ANY) {
      at++;
    }
    return at == kinds.length;
  }

  private boolean fits(int at, String segment) {
    return kinds[at] == Kind.ONE || names[at].equals(segment);
  }

  /** Prefix of every path that matches; may be empty. */
  public String prefix() {
    StringBuilder prefix = new StringBuilder();
    for (int i = 0; i < names.length && kinds[i] != Kind.ANY; i++) {
      // A slash only where a segment must follow: orders/** matches orders, too.
      prefix.append(i == 0 ? "" : "/");
      if (kinds[i] == Kind.ONE) {
        break;
      }
      prefix.append(names[i]);
    }
    return prefix.toString();
  }

  /** The first segment of every path that matches, if there is only one. */
  Optional<String> first() {
    return kinds[0] == Kind.NAME ? Optional.of(names[0]) : Optional.empty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StreamGlob g && text.equals(g.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
