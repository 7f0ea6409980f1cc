package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Background loops, as the sources start them. */
class LoopsTest {
  private static final List<String> MODULES =
      List.of("core", "jdbc", "redis", "nats", "kafka", "rabbitmq", "micrometer", "server", "cli");

  /** Core's loops are tested beside the contracts, where the helper is. */
  private static final List<String> TESTED_IN =
      List.of("tck", "jdbc", "redis", "nats", "kafka", "rabbitmq", "micrometer", "server");

  private static final String LOAD = "load of semel prove, in processes that the run kills";

  /** Loops without a test that makes them fail, with the reason. */
  private static final Map<String, String> UNTESTED =
      Map.of(
          "semel-write",
          LOAD,
          "semel-race",
          LOAD,
          "semel-append",
          LOAD,
          "semel-streams-overdue",
          "calls what can fail only for an append that had no answer for 30 s");

  private static final Pattern START = Pattern.compile("Loop\\.start(?:Timed)?\\(");
  private static final Pattern EMPTY = Pattern.compile("\\w+ -> \\{\\s*\\}");
  private static final Pattern ROW = Pattern.compile("\n\\| (`semel-[^|]*) \\|");

  /** One in a row; a part of its name may be a placeholder, such as *operation*. */
  private static final Pattern LISTED =
      Pattern.compile("`semel-[a-z-]+`(?:\\*[a-z]+\\*)?(?:`[a-z-]+`)?");

  private static final Pattern QUOTED = Pattern.compile("\"(semel-[a-z-]+)\"");
  private static final Pattern CONSTANT = Pattern.compile("String LOOP = \"(semel-[a-z-]+)\"");
  private static final Pattern NAME = Pattern.compile("\"(semel-[a-z-]*[a-z])-?\"");

  /** What stands between the parentheses of each call that starts a loop. */
  private static List<String> starts(String source) {
    List<String> calls = new ArrayList<>();
    Matcher start = START.matcher(source);
    while (start.find()) {
      int depth = 1;
      int at = start.end();
      while (depth > 0) {
        char c = source.charAt(at++);
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      }
      calls.add(source.substring(start.end(), at - 1));
    }
    return calls;
  }

  @Test
  void noLoopGetsAnEmptyHandler() {
    int calls = 0;
    for (String module : MODULES) {
      for (String source : Book.sources("semel-" + module)) {
        for (String call : starts(source)) {
          calls++;
          assertThat(EMPTY.matcher(call).find()).as(call).isFalse();
        }
      }
    }
    assertThat(calls).as("loops that were found at all").isGreaterThan(30);
  }

  @Test
  void everyLoopIsOnThePageForOperators() {
    Set<String> names = new TreeSet<>();
    for (String module : MODULES) {
      for (String source : Book.sources("semel-" + module)) {
        starts(source)
            .forEach(
                call -> NAME.matcher(call).results().forEach(found -> names.add(found.group(1))));
        CONSTANT.matcher(source).results().forEach(found -> names.add(found.group(1)));
      }
    }
    assertThat(names).contains("semel-relay", "semel-event-feed", "semel-nats-link");
    String page = Book.text(Book.DOCS.resolve("logging.md"));
    assertThat(names).allMatch(name -> page.contains("`" + name));
  }

  /**
   * A loop on the page.
   *
   * @param name as tests may have it: any operation's in the place of *operation*
   */
  private record Listed(String text, Pattern name) {
    static Listed of(String cell) {
      String text = cell.replace("`", "");
      return new Listed(text, Pattern.compile(text.replaceAll("\\*[a-z]+\\*", "[a-z]+")));
    }
  }

  private static List<Listed> listed() {
    List<Listed> all = new ArrayList<>();
    ROW.matcher(Book.text(Book.DOCS.resolve("logging.md")))
        .results()
        .flatMap(row -> LISTED.matcher(row.group(1)).results())
        .forEach(found -> all.add(Listed.of(found.group())));
    return all;
  }

  /** The names in tests that watch loops fail. */
  private static Set<String> watched() {
    Set<String> names = new TreeSet<>();
    for (String module : TESTED_IN) {
      Book.tests("semel-" + module).stream()
          .filter(test -> test.contains("LoopWatch.of("))
          .flatMap(test -> QUOTED.matcher(test).results())
          .forEach(found -> names.add(found.group(1)));
    }
    return names;
  }

  @Test
  void everyLoopOnThePageHasATestThatMakesItFail() {
    List<Listed> listed = listed();
    assertThat(listed).as("loops that were found at all").hasSizeGreaterThan(30);
    Set<String> texts = listed.stream().map(Listed::text).collect(Collectors.toSet());
    Set<String> watched = watched();
    List<String> without = new ArrayList<>();
    for (Listed each : listed) {
      boolean isWatched =
          watched.stream()
              .filter(name -> name.equals(each.text()) || !texts.contains(name))
              .anyMatch(each.name().asMatchPredicate());
      if (!isWatched) {
        without.add(each.text());
      }
    }
    assertThat(without).containsExactlyInAnyOrderElementsOf(UNTESTED.keySet());
  }
}
