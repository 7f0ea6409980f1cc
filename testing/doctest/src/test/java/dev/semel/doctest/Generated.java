package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A part of a page that is written by a program: between {@code <!-- generated: name -->} and
 * {@code <!-- end -->}. What people wrote around it stays.
 */
final class Generated {
  private static final String END = "<!-- end -->";
  private static final boolean REGENERATE = Boolean.getBoolean("semel.regenerate");

  private Generated() {}

  /** Fails if the page says something else there; or writes it, if that was asked for. */
  static void part(Path page, String name, String text) {
    String is = Book.text(page);
    String begin = "<!-- generated: " + name + " -->\n";
    int from = is.indexOf(begin);
    int to = is.indexOf(END, Math.max(from, 0));
    assertThat(from).as("%s has no line %s", page, begin.strip()).isNotNegative();
    assertThat(to).as("%s: the part %s has no end", page, name).isGreaterThan(from);
    String should = is.substring(0, from) + begin + "\n" + text.strip() + "\n\n" + is.substring(to);
    if (REGENERATE) {
      write(page, should);
      return;
    }
    assertThat(is)
        .as(
            "%s is no longer what the code says: run the tests of semel-doctest with"
                + " -Dsemel.regenerate=true, and look at the difference",
            page)
        .isEqualTo(should);
  }

  private static void write(Path page, String text) {
    try {
      Files.writeString(page, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A row of a table. */
  static String row(String... cells) {
    return "| "
        + String.join(" | ", List.of(cells).stream().map(c -> c.replace("|", "\\|")).toList())
        + " |\n";
  }
}
