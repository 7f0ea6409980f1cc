package dev.semel.doctest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A page of Markdown, as far as tests look at it.
 *
 * @param prose its lines without those in fences
 */
record Page(Path file, String text, List<String> prose, List<Fence> fences) {
  private static final Pattern LINK = Pattern.compile("!?\\[[^\\]]*\\]\\(([^()\\s]+)\\)");
  private static final Pattern TAG = Pattern.compile("(?:src|srcset|href)=\"([^\"]+)\"");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)\\s*#*");
  private static final Pattern MARK = Pattern.compile("<a id=\"([^\"]+)\">");
  private static final Pattern LINKED = Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)");

  /**
   * What stands between two fences.
   *
   * @param language such as {@code java}; may be empty
   * @param number of those with the same language in the page, from 1
   * @param line where it begins
   */
  record Fence(String language, int number, int line, List<String> lines) {
    String text() {
      return String.join("\n", lines) + "\n";
    }
  }

  static Page read(Path file) {
    return of(file, Book.text(file));
  }

  static Page of(Path file, String text) {
    List<String> prose = new ArrayList<>();
    List<Fence> fences = new ArrayList<>();
    Map<String, Integer> numbers = new HashMap<>();
    Fence open = null;
    int line = 0;
    for (String each : text.lines().toList()) {
      line++;
      boolean mark = each.startsWith("```");
      if (mark && open == null) {
        String language = each.substring(3).strip();
        open =
            new Fence(language, numbers.merge(language, 1, Integer::sum), line, new ArrayList<>());
      } else if (mark) {
        fences.add(open);
        open = null;
      } else if (open != null) {
        open.lines().add(each);
      } else {
        prose.add(each);
      }
    }
    if (open != null) {
      throw new IllegalStateException(
          file + ": the fence of line " + open.line() + " is never closed");
    }
    return new Page(file, text, prose, fences);
  }

  String name() {
    return Book.ROOT.relativize(file).toString();
  }

  /** Where its links and pictures lead, as they are written. */
  Set<String> links() {
    Set<String> links = new LinkedHashSet<>();
    for (String line : prose) {
      String visible = CODE.matcher(line).replaceAll("`");
      for (Pattern pattern : List.of(LINK, TAG)) {
        pattern.matcher(visible).results().forEach(found -> links.add(found.group(1)));
      }
    }
    return links;
  }

  /** What links may name in it: headings, as GitHub makes anchors of them, and {@code <a id>}. */
  Set<String> anchors() {
    Set<String> anchors = new LinkedHashSet<>();
    for (String line : prose) {
      var heading = HEADING.matcher(line);
      if (heading.matches()) {
        String base = anchor(heading.group(1));
        String anchor = base;
        for (int again = 1; !anchors.add(anchor); again++) {
          anchor = base + "-" + again;
        }
      }
      MARK.matcher(line).results().forEach(found -> anchors.add(found.group(1)));
    }
    return anchors;
  }

  private static String anchor(String heading) {
    String shown = LINKED.matcher(heading).replaceAll("$1");
    StringBuilder anchor = new StringBuilder();
    shown
        .toLowerCase(Locale.ROOT)
        .codePoints()
        .forEach(
            c -> {
              if (Character.isLetterOrDigit(c) || c == '-' || c == '_') {
                anchor.appendCodePoint(c);
              } else if (c == ' ') {
                anchor.append('-');
              }
            });
    return anchor.toString();
  }
}
