package dev.semel.proof.report;

/** Text that becomes part of a page. */
public final class HtmlText {
  private final StringBuilder page = new StringBuilder();

  /** Our own markup, as it is. */
  public HtmlText raw(String markup) {
    page.append(markup);
    return this;
  }

  /** Our own markup, with each {@code %s} replaced by a text from wherever. */
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
