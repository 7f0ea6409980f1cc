package dev.semel.benchmarks;

import dev.semel.benchmarks.growth.KeysGrowth;
import dev.semel.benchmarks.growth.StreamsGrowth;
import dev.semel.benchmarks.growth.WorkersGrowth;
import dev.semel.benchmarks.messages.KafkaBenchmark;
import dev.semel.benchmarks.messages.LoggingRace;
import dev.semel.benchmarks.messages.NatsRace;
import dev.semel.benchmarks.messages.OutboxBenchmark;
import dev.semel.benchmarks.messages.RabbitRace;
import dev.semel.benchmarks.messages.RabbitStreamRace;
import dev.semel.benchmarks.messages.RacedRedis;
import dev.semel.benchmarks.messages.RelayGrowth;
import dev.semel.benchmarks.regions.RegionsBenchmark;
import dev.semel.benchmarks.streams.ProducerBenchmark;
import dev.semel.benchmarks.streams.RacedStreams;
import dev.semel.benchmarks.streams.StreamsBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Runs the benchmarks named on the command line, or all of them. */
public final class Main {
  static final List<String> ALL =
      List.of(
          "memory",
          "sqlite",
          "postgres",
          "redis",
          "jobs",
          "servlet",
          "streams",
          "shared-streams",
          "producer",
          "outbox",
          "nats",
          "kafka",
          "rabbitmq",
          "redis-streams",
          "stream-transport",
          "gateway",
          "logging");

  /** Draws all saved figures again. */
  private static final String REDRAW = "plots";

  private static final List<Integer> KEYS = List.of(1000, 10_000, 100_000, 1_000_000, 10_000_000);

  private static final List<Integer> SIZES = List.of(1, 2, 4, 8, 16);

  private static final Path PLOTS = Path.of("benchmarks/plots");

  /** The slow benchmarks, with their default sizes. */
  private static final Map<String, List<Integer>> GROWING =
      Map.of(
          "workers", List.of(1, 4, 16),
          "keys-memory", KEYS,
          "keys-sqlite", KEYS,
          "keys-postgres", KEYS,
          "keys-redis", KEYS,
          "streams-journal", List.of(1, 10, 100, 1000, 10_000, 100_000),
          "streams-jetstream", List.of(1, 10, 100, 1000, 10_000),
          "relays", SIZES,
          "consumers", SIZES,
          "regions", List.of(0, 10, 50, 200));

  private static final String USAGE =
      """
      Usage: benchmarks/run [--quick] [--growth] [all | NAME…]
      Runs races, ours and what it is compared with in turn, and writes what it saw into
      benchmarks/results.csv, the tables of benchmarks/README.md and plots/ratios.svg.

        all       every race; so it is without a name. One that fails is reported, the others go on.
        NAME      one of: %s
        NAME[=SIZE,…]  as work grows: %s
        plots     draws plots and tables anew from what was seen
        --growth  all of those that grow as well; they take hours
        --quick   one short round each, to see that it runs; writes into benchmarks/target/quick
        --help    this

      Example: benchmarks/run redis outbox
      Exit code: 0, or 1 if a race failed, or 2 if the call was not understood.
      """
          .formatted(String.join(", ", ALL), String.join(", ", new TreeSet<>(GROWING.keySet())));

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Set<String> given = new LinkedHashSet<>(List.of(arguments));
    if (given.contains("--help")) {
      System.out.print(USAGE);
      return;
    }
    Pace pace = given.remove("--quick") ? Pace.QUICK : Pace.USUAL;
    boolean growth = given.remove("--growth");
    if (given.remove("all") || given.isEmpty()) {
      given.addAll(ALL);
    }
    if (growth) {
      given.addAll(new TreeSet<>(GROWING.keySet()));
    }
    for (String each : given) {
      if (!ALL.contains(each)
          && !each.equals(REDRAW)
          && !GROWING.containsKey(each.replaceAll("=[0-9,]+$", ""))) {
        System.err.print("Not understood: " + each + "\n\n" + USAGE);
        System.exit(2);
      }
    }
    System.exit(runAll(given, pace) ? 0 : 1); // some peers leave threads behind
  }

  /**
   * Runs benchmarks.
   *
   * @return whether all of them finished
   */
  private static boolean runAll(Set<String> names, Pace pace) throws IOException {
    Page page = Page.open(pace);
    List<String> failed = new ArrayList<>();
    for (String each : names) {
      Path folder = Files.createTempDirectory("semel-benchmarks");
      try {
        run(each, folder, pace, page);
      } catch (Exception e) {
        failed.add(each);
        System.err.println(each + " failed:");
        e.printStackTrace();
      } finally {
        delete(folder); // some leave gigabytes
      }
    }
    if (!failed.isEmpty()) {
      System.err.println("Failed: " + String.join(", ", failed));
    }
    return failed.isEmpty();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static void run(String each, Path folder, Pace pace, Page page) throws Exception {
    String name = each.replaceAll("=.*", "");
    if (name.equals(REDRAW)) {
      WorkersGrowth.draw(PLOTS);
      KeysGrowth.draw(PLOTS);
      StreamsGrowth.draw(PLOTS);
      RelayGrowth.draw(PLOTS);
      RegionsBenchmark.draw(PLOTS);
      page.refresh();
    } else if (GROWING.containsKey(name)) {
      grow(name, each.equals(name) ? GROWING.get(name) : sizes(each), folder);
    } else {
      System.out.println(name);
      String seen = Machine.now();
      Findings findings = new Findings(System.out, pace);
      race(name, folder, findings);
      page.write(name, new Results.Table(seen, findings.figures()));
    }
  }

  private static List<Integer> sizes(String argument) {
    return Stream.of(argument.substring(argument.indexOf('=') + 1).split(","))
        .map(Integer::valueOf)
        .toList();
  }

  private static void grow(String name, List<Integer> sizes, Path folder) throws Exception {
    switch (name) {
      case "workers" -> WorkersGrowth.run(System.out, PLOTS, folder, sizes);
      case "keys-memory", "keys-sqlite", "keys-postgres", "keys-redis" ->
          KeysGrowth.run(System.out, PLOTS, folder, name.substring("keys-".length()), sizes);
      case "streams-journal" -> StreamsGrowth.journal(System.out, PLOTS, folder, sizes);
      case "streams-jetstream" -> StreamsGrowth.jetStream(System.out, PLOTS, sizes);
      case "relays" -> RelayGrowth.relays(System.out, PLOTS, sizes);
      case "consumers" -> RelayGrowth.consumers(System.out, PLOTS, sizes);
      case "regions" -> RegionsBenchmark.run(System.out, PLOTS, sizes);
      default -> throw new IllegalStateException(name);
    }
  }

  private static void race(String name, Path folder, Findings out) throws Exception {
    switch (name) {
      case "memory" -> MemoryBenchmark.run(out);
      case "sqlite" -> SqliteBenchmark.run(out, folder);
      case "postgres" -> PostgresBenchmark.run(out);
      case "redis" -> RedisBenchmark.run(out);
      case "jobs" -> JobsBenchmark.run(out);
      case "servlet" -> ServletBenchmark.run(out);
      case "streams" ->
          StreamsBenchmark.run(out, Path.of("benchmarks/target/tools").toAbsolutePath(), folder);
      case "shared-streams" -> SharedStreamsBenchmark.run(out);
      case "producer" -> ProducerBenchmark.run(out, folder);
      case "outbox" -> OutboxBenchmark.run(out);
      case "nats" -> NatsRace.run(out);
      case "kafka" -> KafkaBenchmark.run(out);
      case "rabbitmq" -> {
        RabbitRace.run(out, 50_000, 20_000);
        RabbitStreamRace.run(out, 50_000, 20_000);
      }
      case "stream-transport" -> RacedStreams.run(out, folder, 50_000, 20_000);
      case "gateway" -> GatewayBenchmark.run(out);
      case "logging" -> LoggingRace.run(out);
      case "redis-streams" -> RacedRedis.run(out);
      default -> throw new IllegalStateException(name);
    }
  }
}
