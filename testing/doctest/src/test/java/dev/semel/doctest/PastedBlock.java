package dev.semel.doctest;

import java.util.ArrayList;
import java.util.List;

/**
 * A block of commands in a page, and what the page says that it prints.
 *
 * @param chapter the heading above it; empty before the first one
 * @param line where it begins
 * @param commands a block of {@code sh}
 * @param printed the block of {@code text} behind it; empty where there is none
 */
record PastedBlock(String chapter, int line, String commands, String printed) {
  private static final String HEADING = "## ";

  /** All of a page that has commands and what they print, and no other blocks. */
  static List<PastedBlock> of(Page page) {
    List<PastedBlock> blocks = new ArrayList<>();
    List<String> lines = page.text().lines().toList();
    List<Page.Fence> fences = page.fences();
    for (int i = 0; i < fences.size(); i++) {
      Page.Fence commands = fences.get(i);
      if (!commands.language().equals("sh")) {
        throw new IllegalStateException(
            page.name() + " line " + commands.line() + ": no commands that can be pasted");
      }
      String printed = "";
      if (i + 1 < fences.size() && fences.get(i + 1).language().equals("text")) {
        i++;
        printed = fences.get(i).text();
      }
      String chapter = chapter(lines.subList(0, commands.line()));
      blocks.add(new PastedBlock(chapter, commands.line(), commands.text(), printed));
    }
    return blocks;
  }

  private static String chapter(List<String> above) {
    return above.reversed().stream()
        .filter(line -> line.startsWith(HEADING))
        .findFirst()
        .orElse("");
  }
}
