package dev.semel.benchmarks;

import dev.semel.benchmarks.growth.KeysGrowth;
import dev.semel.benchmarks.growth.StreamsGrowth;
import dev.semel.benchmarks.growth.WorkersGrowth;
import dev.semel.benchmarks.messages.KafkaBenchmark;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Runs the benchmarks named on the command line, or all of them. */
public final class Main {
  private static final List<String> ALL =
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
          "gateway");

  /** Draws anew what {@link #GROWING} saw. */
  private static final String REDRAW = "plots";

  private static final List<Integer> KEYS = List.of(1000, 10_000, 100_000, 1_000_000, 10_000_000);

  private static final List<Integer> SIZES = List.of(1, 2, 4, 8, 16);

  private static final Path PLOTS = Path.of("benchmarks/plots");

  /** Each with the sizes it is measured at unless told otherwise; they take long. */
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

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    List<String> chosen = arguments.length == 0 ? ALL : List.of(arguments);
    for (String each : chosen) {
      if (!ALL.contains(each)
          && !each.equals(REDRAW)
          && !GROWING.containsKey(each.replaceAll("=[0-9,]+$", ""))) {
        System.err.println("usage: benchmarks/run [" + String.join("|", ALL) + "]…");
        System.err.println(
            "   or: benchmarks/run ["
                + String.join("|", new TreeSet<>(GROWING.keySet()))
                + "][=SIZE,…]… "
                + REDRAW);
        System.exit(2);
      }
    }
    Path folder = Files.createTempDirectory("semel-benchmarks");
    try {
      for (String each : chosen) {
        run(each, folder);
      }
    } finally {
      delete(folder); // some leave gigabytes
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static void run(String each, Path folder) throws Exception {
    String name = each.replaceAll("=.*", "");
    if (name.equals(REDRAW)) {
      WorkersGrowth.draw(PLOTS);
      KeysGrowth.draw(PLOTS);
      StreamsGrowth.draw(PLOTS);
      RelayGrowth.draw(PLOTS);
      RegionsBenchmark.draw(PLOTS);
    } else if (GROWING.containsKey(name)) {
      grow(name, each.equals(name) ? GROWING.get(name) : sizes(each), folder);
    } else {
      race(name, folder);
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

  private static void race(String name, Path folder) throws Exception {
    switch (name) {
      case "memory" -> MemoryBenchmark.run(System.out);
      case "sqlite" -> SqliteBenchmark.run(System.out, folder);
      case "postgres" -> PostgresBenchmark.run(System.out);
      case "redis" -> RedisBenchmark.run(System.out);
      case "jobs" -> JobsBenchmark.run(System.out);
      case "servlet" -> ServletBenchmark.run(System.out);
      case "streams" ->
          StreamsBenchmark.run(
              System.out, Path.of("benchmarks/target/tools").toAbsolutePath(), folder);
      case "shared-streams" -> SharedStreamsBenchmark.run(System.out);
      case "producer" -> ProducerBenchmark.run(System.out, folder);
      case "outbox" -> OutboxBenchmark.run(System.out);
      case "nats" -> NatsRace.run(System.out);
      case "kafka" -> KafkaBenchmark.run(System.out);
      case "rabbitmq" -> {
        RabbitRace.run(System.out, 50_000, 20_000);
        RabbitStreamRace.run(System.out, 50_000, 20_000);
      }
      case "stream-transport" -> RacedStreams.run(System.out, folder, 50_000, 20_000);
      case "gateway" -> GatewayBenchmark.run(System.out);
      case "redis-streams" -> RacedRedis.run(System.out);
      default -> throw new IllegalStateException(name);
    }
  }
}
