package dev.semel.benchmarks.growth;

import dev.semel.nats.JetStreamLog;
import dev.semel.nats.StreamsSettings;
import dev.semel.stream.ContentType;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import dev.semel.testservices.NatsService;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Measures growing numbers of streams: creating them, appending to them, and starting with them.
 */
public final class StreamsGrowth {
  private static final int WORKERS = 16;
  private static final int BYTES = 100;
  private static final Duration TIME = Duration.ofSeconds(3);

  private final PrintStream out;
  private final Figures figures;
  private final String name;
  private final Supplier<Streams> opening;
  private final ProcessHandle holder;
  private final LongSupplier cpu;

  /**
   * @param holder whose files and memory are measured
   */
  private StreamsGrowth(
      PrintStream out,
      Figures figures,
      String name,
      Supplier<Streams> opening,
      ProcessHandle holder) {
    this.out = out;
    this.figures = figures;
    this.name = name;
    this.opening = opening;
    this.holder = holder;
    this.cpu = holder.equals(ProcessHandle.current()) ? () -> 0 : Load.of(holder);
  }

  /** Measures streams on a journal in a folder. */
  public static void journal(PrintStream out, Path plots, Path folder, List<Integer> sizes)
      throws Exception {
    Path data = folder.resolve("streams");
    Figures figures = Figures.of(plots, "streams");
    new StreamsGrowth(
            out,
            figures,
            "journal",
            () ->
                JournalStreams.open(
                    data, InstantSource.system(), JournalStreams.Settings.defaults()),
            ProcessHandle.current())
        .grow(sizes);
    draw(plots);
    figures.print(out, "streams");
  }

  /** Measures streams on one NATS server that syncs every write. */
  public static void jetStream(PrintStream out, Path plots, List<Integer> sizes) throws Exception {
    Figures figures = Figures.of(plots, "streams");
    try (NatsService nats = NatsService.start()) {
      new StreamsGrowth(
              out,
              figures,
              "JetStream",
              () -> JetStreamLog.openStreams(StreamsSettings.parse(nats.url())),
              nats.process())
          .grow(sizes);
    }
    draw(plots);
    figures.print(out, "streams");
  }

  /** Draws the figures so far. */
  public static void draw(Path plots) throws IOException {
    Axis x = Axis.log("streams");
    Figures.of(plots, "streams")
        .draw("streams-create", "creates/s", "Creating streams", x, Axis.log("creates a second"))
        .draw(
            "streams-p99",
            "append p99 µs",
            "Append of 100 bytes to any, 16 at a time",
            x,
            Axis.log("p99, µs"))
        .draw("streams-start", "start ms", "Start with all of them there", x, Axis.log("ms"))
        .draw("streams-heap", "heap MB", "Heap of the process", x, Axis.log("MB"));
  }

  private void grow(List<Integer> sizes) throws Exception {
    long before = FilledMemory.used();
    int there = 0;
    Streams streams = opening.get();
    try {
      for (int size : sizes) {
        create(streams, there, size);
        there = size;
        append(streams, size);
        figures
            .put("heap MB", name, size, (FilledMemory.used() - before) / 1e6)
            .put("open files", name, size, openFiles())
            .put("resident MB", name, size, residentMegabytes());
        streams.close();
        long started = System.nanoTime();
        streams = opening.get();
        head(streams, size - 1);
        figures.put("start ms", name, size, (System.nanoTime() - started) / 1e6);
        out.printf("%s: %d streams%n", name, size);
      }
    } finally {
      streams.close();
    }
  }

  private static StreamPath path(long number) {
    return new StreamPath("orders/" + number);
  }

  private void create(Streams streams, int from, int to) throws Exception {
    AtomicInteger next = new AtomicInteger(from);
    Thread[] threads = new Thread[WORKERS];
    long started = System.nanoTime();
    for (int t = 0; t < WORKERS; t++) {
      threads[t] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = next.getAndIncrement(); n < to; n = next.getAndIncrement()) {
                      StreamResult.ToCreate unused =
                          streams
                              .create(CreateRequest.of(path(n), ContentType.BYTES))
                              .toCompletableFuture()
                              .join();
                    }
                  });
    }
    for (Thread thread : threads) {
      thread.join();
    }
    figures.put("creates/s", name, to, (to - from) * 1e9 / (System.nanoTime() - started));
  }

  private void append(Streams streams, int size) throws Exception {
    AppendRequest request = AppendRequest.of(ContentType.BYTES, new byte[BYTES]);
    Load.Seen seen =
        new Load(Thread.ofPlatform().daemon().factory(), TIME, cpu)
            .warmAndRun(
                WORKERS,
                number -> {
                  StreamPath path = path(ThreadLocalRandom.current().nextInt(size));
                  if (!(streams.append(path, request).toCompletableFuture().get()
                      instanceof StreamResult.Appended)) {
                    throw new IllegalStateException("an append was refused");
                  }
                });
    figures
        .put("appends/s", name, size, seen.rate())
        .put("append p50 µs", name, size, seen.p50())
        .put("append p99 µs", name, size, seen.p99())
        .put("processor µs, client", name, size, seen.here())
        .put("processor µs, server", name, size, seen.there());
  }

  /** A start ends with its first answer, because the call that begins it returns earlier. */
  private static void head(Streams streams, int number) {
    if (!(streams.head(path(number)).toCompletableFuture().join() instanceof StreamResult.Found)) {
      throw new IllegalStateException("stream %d is gone".formatted(number));
    }
  }

  private int openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", "" + holder.pid(), "fd"))) {
      return (int) files.count();
    }
  }

  private double residentMegabytes() throws IOException {
    return Files.readAllLines(Path.of("/proc", "" + holder.pid(), "status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum()
        / 1e3;
  }
}
