package dev.semel.benchmarks;

import dev.semel.benchmarks.messages.KafkaBenchmark;
import dev.semel.benchmarks.messages.NatsRace;
import dev.semel.benchmarks.messages.OutboxBenchmark;
import dev.semel.benchmarks.messages.RabbitRace;
import dev.semel.benchmarks.messages.RabbitStreamRace;
import dev.semel.benchmarks.messages.RacedRedis;
import dev.semel.benchmarks.streams.ProducerBenchmark;
import dev.semel.benchmarks.streams.RacedStreams;
import dev.semel.benchmarks.streams.StreamsBenchmark;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

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

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    List<String> chosen = arguments.length == 0 ? ALL : List.of(arguments);
    if (!Set.copyOf(ALL).containsAll(chosen)) {
      System.err.println("usage: benchmarks/run [" + String.join("|", ALL) + "]…");
      System.exit(2);
    }
    Path folder = Files.createTempDirectory("semel-benchmarks");
    for (String name : chosen) {
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
}
