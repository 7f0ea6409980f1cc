package dev.semel.proof.report;

/** Builds a page, and escapes texts. */
public final class HtmlText {
  private final StringBuilder page = new StringBuilder();

  /** Adds our own markup unchanged. */
  public HtmlText raw(String markup) {
    page.append(markup);
    return this;
  }

  /** Adds our own markup, and replaces each {@code %s} by an escaped text. */
  public HtmlText raw(String markup, Object... texts) {
    Object[] safe = new Object[texts.length];
    for (int i = 0; i < texts.length; i++) {
      safe[i] = escaped(String.valueOf(texts[i]));
    }
    page.append(markup.formatted(safe));
    return this;
  }

  static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
