package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Background loops, as the sources start them. */
class LoopsTest {
  private static final List<String> MODULES =
      List.of("core", "jdbc", "redis", "nats", "kafka", "rabbitmq", "micrometer", "server", "cli");
  private static final Pattern START = Pattern.compile("Loop\\.start(?:Timed)?\\(");
  private static final Pattern EMPTY = Pattern.compile("\\w+ -> \\{\\s*\\}");
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
      }
    }
    assertThat(names).contains("semel-relay", "semel-event-feed");
    String page = Book.text(Book.DOCS.resolve("logging.md"));
    assertThat(names).allMatch(name -> page.contains("`" + name));
  }
}
