package dev.semel.webtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * How long someone looks at nothing, in the browser's own words: from the start of the navigation
 * to its first paint, and to the tiles with figures. Each round has a new server process and a new
 * browser; what it is worth depends on what else the machine does, so nothing is held to a time.
 */
@Tag("proof")
class FirstPaintTest {
  private static final int ROUNDS = Integer.getInteger("semel.rounds", 7);

  private static final String PAINTED =
      "() => performance.getEntriesByName('first-contentful-paint').length > 0";

  /** When the first paint was, when all was there, and where the time went. */
  private static final String TIMES =
      """
      () => {
        const entry = (type) => performance.getEntriesByType(type);
        const at = (name) => Math.round(performance.getEntriesByName(name)[0].startTime);
        const way = entry('navigation')[0];
        const files = entry('resource').filter(each => !each.name.includes('/api/'));
        const calls = entry('resource').filter(each => each.name.includes('/api/'));
        const last = (of) => Math.round(Math.max(0, ...of.map(each => each.responseEnd)));
        return [at('first-paint'), at('first-contentful-paint'), Math.round(performance.now()),
          'sent ' + Math.round(way.requestStart) + ', answered ' + Math.round(way.responseStart) + ', whole ' + Math.round(way.responseEnd)
            + ', styles ' + last(files.filter(each => each.name.endsWith('.css')))
            + ', files ' + last(files) + ' (' + files.length + ')'
            + ', calls from ' + Math.round(Math.min(...calls.map(each => each.startTime)))];
      }
      """;

  /** In milliseconds from the start of the navigation. */
  private record Load(int painted, int filled) {}

  private final Map<String, List<Load>> loads = new LinkedHashMap<>();

  @Test
  void firstPaintIsPrinted(TestReporter report) throws Exception {
    report.publishEntry("rounds", "" + ROUNDS);
    for (int round = 0; round < ROUNDS; round++) {
      try (LoneServer server = new LoneServer()) {
        try (Window window = Window.wide(server.address())) {
          look("new server, new browser", window);
          window.page.reload();
          look("loaded again", window);
        }
        try (Window window = Window.wide(server.address())) {
          look("used server, new browser", window);
          window.assertQuiet();
        }
      }
    }
    loads.forEach(
        (which, seen) ->
            System.out.printf(
                "%s: first paint %s; figures %s%n",
                which, summary(seen, Load::painted), summary(seen, Load::filled)));
    assertThat(loads).hasSize(3).allSatisfy((which, seen) -> assertThat(seen).hasSize(ROUNDS));
  }

  private void look(String which, Window window) {
    if (!window.page.url().startsWith("http")) {
      window.open("overview");
    }
    window.page.waitForSelector(".tile strong");
    window.page.waitForFunction(PAINTED);
    List<?> times = (List<?>) window.page.evaluate(TIMES);
    System.out.printf("%s: %s%n", which, times);
    Load load = new Load(((Number) times.get(1)).intValue(), ((Number) times.get(2)).intValue());
    loads.computeIfAbsent(which, each -> new ArrayList<>()).add(load);
  }

  private static String summary(List<Load> seen, ToIntFunction<Load> which) {
    int[] sorted = seen.stream().mapToInt(which).sorted().toArray();
    return "median %d ms, worst %d ms"
        .formatted(sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }
}
