package dev.semel.stream;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.Locale;

/**
 * The content type of a stream's bytes. The text is kept as given; types are compared by their
 * media type alone, ignoring case and parameters such as a charset.
 */
public final class ContentType {
  /** Longest text, in characters. */
  public static final int MAX_LENGTH = 256;

  /** The default type of a stream. */
  public static final ContentType BYTES = new ContentType("application/octet-stream");

  public static final ContentType JSON = new ContentType("application/json");

  private final String text;
  private final String media;
  private final boolean json;

  private ContentType(String text) {
    this.text = text;
    int semicolon = text.indexOf(';');
    this.media =
        (semicolon < 0 ? text : text.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
    this.json = media.equals("application/json");
  }

  public static ContentType parse(String text) {
    ContentType type = new ContentType(text);
    int slash = type.media.indexOf('/');
    if (text.length() > MAX_LENGTH
        || slash <= 0
        || slash == type.media.length() - 1
        || !text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
      throw new InvalidInput(
          "%s is not a content type: write one such as application/json, at most %d characters"
              .formatted(PrintableText.quoted(text), MAX_LENGTH));
    }
    return type;
  }

  /** Whether appends are JSON, whose messages are kept apart. */
  public boolean json() {
    return json;
  }

  /** The media type in lower case, without parameters. */
  public String media() {
    return media;
  }

  /** The type as it was given. */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ContentType t && media.equals(t.media);
  }

  @Override
  public int hashCode() {
    return media.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
