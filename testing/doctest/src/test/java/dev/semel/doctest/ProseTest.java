package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages are for engineers in a hurry: short lines, filled tables, contents, plain words. */
class ProseTest {
  private static final int LONGEST_LINE = 180;
  private static final int LINES_WITHOUT_CONTENTS = 90;
  private static final int FEWEST_CONTENTS = 3;

  /** Each has a plain equivalent that says who does what. */
  private static final List<String> BANNED =
      List.of(
          "told to whom",
          "told again",
          "so long is waited",
          "whoever",
          "of its own",
          "by itself",
          "again and again does no harm",
          "take each other's place",
          "takes the place of",
          "bears repetition",
          "bear repetition",
          "without a word",
          "nobody knows",
          "who calls it the same",
          "someone is at it",
          "its word is refused");

  /** A program writes all of it. */
  private static final Set<String> GENERATED = Set.of("docs/proof-record.md");

  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Pattern LINK = Pattern.compile("!?\\[[^\\]]*\\]\\([^)]*\\)");
  private static final Pattern TAG = Pattern.compile("<[^>]*>");
  private static final Pattern LETTER = Pattern.compile("\\p{L}");
  private static final Pattern RULER = Pattern.compile("\\|[-:| ]+\\|");
  private static final Pattern CHAPTER = Pattern.compile("(?m)^## ");
  private static final Pattern OWN_ANCHOR = Pattern.compile("\\]\\(#");

  @Test
  void pagesKeepTheRules() {
    List<String> findings = new ArrayList<>();
    List<Page> pages = checked().toList();
    pages.forEach(page -> findings.addAll(findings(page)));
    assertThat(findings).isEmpty();
    assertThat(pages).hasSizeGreaterThan(20);
  }

  @Test
  void everyRuleFindsWhatBreaksIt() {
    assertThat(findings("word ".repeat(40))).singleElement().asString().contains("a line of 200");
    assertThat(findings("[a](b) ".repeat(40))).isEmpty();
    assertThat(findings("```\n" + "word ".repeat(40) + "\n```")).isEmpty();
    assertThat(findings("| a | |\n|---|---|\n| b | c |"))
        .singleElement()
        .asString()
        .contains("head");
    assertThat(findings("Asked without\na word.")).singleElement().asString().contains("a word");
    String chapters = "## A\n## B\n## C\n## D\n" + "text\n".repeat(90);
    assertThat(findings(chapters)).singleElement().asString().contains("contents");
    assertThat(findings("- [A](#a)\n- [B](#b)\n- [C](#c)\n" + chapters)).isEmpty();
    assertThat(findings("<!-- generated: x -->\nof its own\n<!-- end -->")).isEmpty();
  }

  private static Stream<Page> checked() {
    return Book.pages().stream().filter(ProseTest::isChecked);
  }

  private static boolean isChecked(Page page) {
    Path first = Book.ROOT.relativize(page.file()).getName(0);
    boolean root = Set.of("README.md", "SECURITY.md").contains(page.name());
    boolean folder = Set.of("docs", "examples").contains(first.toString());
    return (root || folder) && !GENERATED.contains(page.name());
  }

  private static List<String> findings(String text) {
    return findings(Page.of(Path.of("page.md").toAbsolutePath(), text));
  }

  private static List<String> findings(Page page) {
    List<String> prose = written(page.prose());
    List<String> findings = new ArrayList<>();
    for (int i = 0; i < prose.size(); i++) {
      String line = prose.get(i);
      String shown = TAG.matcher(line).replaceAll("");
      boolean onlyLinks = !LETTER.matcher(LINK.matcher(shown).replaceAll("")).find();
      if (shown.length() > LONGEST_LINE && !onlyLinks) {
        findings.add("a line of %d characters: %s".formatted(shown.length(), beginning(line)));
      }
      boolean head = i + 1 < prose.size() && RULER.matcher(prose.get(i + 1)).matches();
      if (head && hasEmptyCell(line)) {
        findings.add("a table's head with an empty cell: " + line);
      }
    }
    bannedIn(prose).forEach(phrase -> findings.add("\"%s\"".formatted(phrase)));
    if (page.text().lines().count() > LINES_WITHOUT_CONTENTS && !hasContents(prose)) {
      findings.add("no contents: a list of links to its chapters before the second of them");
    }
    return findings.stream().map(finding -> page.name() + ": " + finding).toList();
  }

  /** Without what programs write between marks. */
  private static List<String> written(List<String> prose) {
    List<String> written = new ArrayList<>();
    boolean generated = false;
    for (String line : prose) {
      generated = generated || line.startsWith("<!-- generated:");
      if (!generated) {
        written.add(line);
      }
      generated = generated && !line.startsWith("<!-- end -->");
    }
    return written;
  }

  private static boolean hasEmptyCell(String row) {
    String cells = row.strip().replaceAll("^\\||\\|$", "");
    return Stream.of(cells.split("(?<!\\\\)\\|", -1)).anyMatch(String::isBlank);
  }

  private static List<String> bannedIn(List<String> prose) {
    Matcher code = CODE.matcher(String.join(" ", prose));
    String said = code.replaceAll("`").toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
    return BANNED.stream().filter(said::contains).toList();
  }

  private static boolean hasContents(List<String> prose) {
    String all = String.join("\n", prose);
    int[] chapters = CHAPTER.matcher(all).results().mapToInt(found -> found.start()).toArray();
    String front = chapters.length < 2 ? all : all.substring(0, chapters[1]);
    long links = OWN_ANCHOR.matcher(front).results().count();
    return links >= Math.min(FEWEST_CONTENTS, chapters.length);
  }

  private static String beginning(String line) {
    return line.substring(0, Math.min(60, line.length())) + "…";
  }
}
