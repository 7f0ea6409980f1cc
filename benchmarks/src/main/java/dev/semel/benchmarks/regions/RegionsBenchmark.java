package dev.semel.benchmarks.regions;

import dev.semel.benchmarks.growth.Axis;
import dev.semel.benchmarks.growth.Figures;
import dev.semel.benchmarks.regions.LostRegion.Case;
import dev.semel.benchmarks.regions.LostRegion.Loss;
import dev.semel.benchmarks.regions.LostRegion.Seen;
import dev.semel.idempotency.TakeoverPolicy;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Measures what runs twice with two Redis servers and asynchronous copies between them. */
public final class RegionsBenchmark {
  private static final int USUAL_RATE = 1000;
  private static final List<Integer> RATES = List.of(250, 4000);
  private static final List<Integer> GAPS = List.of(0, 10, 50, 100, 200, 400);
  private static final int RUNS = 3;
  private static final int LEAST_MILLIS = 800;
  private static final int MOST_MILLIS = 1300;

  private final PrintStream out;
  private final Figures figures;
  private final List<Integer> delays;

  private RegionsBenchmark(PrintStream out, Figures figures, List<Integer> delays) {
    this.out = out;
    this.figures = figures;
    this.delays = delays;
  }

  /**
   * Prints and draws the figures.
   *
   * @param delays of the line between the regions, in milliseconds and one direction
   */
  public static void run(PrintStream out, Path plots, List<Integer> delays) throws Exception {
    Figures figures = Figures.of(plots, "regions");
    RegionsBenchmark benchmark = new RegionsBenchmark(out, figures, delays);
    out.println(
        "| case | delay | keys run in A | again in B, nobody told | again by takeover | in doubt |"
            + " of them nothing had happened | p50 in A |");
    out.println("|---".repeat(8) + "|");
    for (Loss loss : Loss.values()) {
      benchmark.lose(name(loss), loss, USUAL_RATE, false, TakeoverPolicy.IN_DOUBT);
    }
    benchmark.lose("cut, run again", Loss.CUT, USUAL_RATE, false, TakeoverPolicy.RUN_AGAIN);
    benchmark.lose("cut, wait=1", Loss.CUT, USUAL_RATE, true, TakeoverPolicy.IN_DOUBT);
    benchmark.lose(
        "cut early, wait=1", Loss.CUT_EARLIER, USUAL_RATE, true, TakeoverPolicy.IN_DOUBT);
    for (int rate : RATES) {
      benchmark.lose("cut, " + rate + "/s", Loss.CUT, rate, false, TakeoverPolicy.IN_DOUBT);
    }
    benchmark.both();
    draw(plots);
  }

  /** Draws the figures so far. */
  public static void draw(Path plots) throws IOException {
    Figures.of(plots, "regions")
        .draw(
            "regions-lost",
            "again, nobody told",
            "A region is lost: keys that ran twice, untold",
            Axis.linear("delay of the copy, ms"),
            Axis.linear("keys, mean of three losses"))
        .draw(
            "regions-both",
            "ran twice %",
            "The same key comes to both regions",
            Axis.linear("it comes to the other so much later, ms"),
            Axis.linear("ran twice, %"));
  }

  private static String name(Loss loss) {
    return switch (loss) {
      case KILLED -> "killed";
      case CUT -> "cut, 1000/s";
      case CUT_EARLIER -> "cut 0.5 s early";
    };
  }

  private void lose(String name, Loss loss, int rate, boolean wait, TakeoverPolicy takeover)
      throws Exception {
    for (int delay : delays) {
      List<Seen> seen = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        seen.add(
            LostRegion.run(
                new Case(loss, Duration.ofMillis(delay), rate, wait, takeover),
                Duration.ofMillis(
                    RandomGenerator.getDefault().nextInt(LEAST_MILLIS, MOST_MILLIS))));
      }
      int silently = seen.stream().mapToInt(Seen::silently).sum();
      figures
          .put("again, nobody told", name, delay, (double) silently / RUNS)
          .put(
              "again by takeover",
              name,
              delay,
              seen.stream().mapToInt(Seen::again).average().orElseThrow())
          .put(
              "in doubt",
              name,
              delay,
              seen.stream().mapToInt(Seen::doubtful).average().orElseThrow());
      out.printf(
          Locale.ROOT,
          "| %s | %d ms | %d | %s | %d | %d | %d | %.1f ms |%n",
          name,
          delay,
          seen.stream().mapToInt(Seen::ran).sum(),
          silently + " " + seen.stream().map(Seen::silently).toList(),
          seen.stream().mapToInt(Seen::again).sum(),
          seen.stream().mapToInt(Seen::doubtful).sum(),
          seen.stream().mapToInt(Seen::falseDoubts).sum(),
          seen.stream().mapToDouble(Seen::p50).average().orElseThrow());
    }
  }

  private void both() throws Exception {
    out.println();
    out.println(
        "| copied after | comes to the other after | keys | ran twice | copies that differ |");
    out.println("|---".repeat(5) + "|");
    try (BothRegions regions = new BothRegions()) {
      for (int delay : delays) {
        for (int gap : GAPS) {
          BothRegions.Seen seen = regions.run(Duration.ofMillis(delay), Duration.ofMillis(gap));
          figures.put(
              "ran twice %",
              "copied after " + delay + " ms", gap, 100.0 * seen.twice() / seen.keys());
          out.printf(
              "| %d ms | %d ms | %d | %d | %d |%n",
              delay, gap, seen.keys(), seen.twice(), seen.differ());
        }
      }
    }
  }
}
