package dev.semel.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Describes when and where a measurement runs, and how busy the machine is. */
final class Machine {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT);

  private Machine() {}

  static String now() {
    return String.format(
        Locale.ROOT,
        "Seen %s on %d cores (%s), %s, JDK %s, %s %s, load average before it %.1f.",
        ZonedDateTime.now(ZoneOffset.UTC).format(MINUTE),
        Runtime.getRuntime().availableProcessors(),
        value("/proc/cpuinfo", "model name").orElse(System.getProperty("os.arch")),
        value("/proc/meminfo", "MemTotal")
            .map(kilobytes -> Long.parseLong(kilobytes.replace(" kB", "")) / 1_000_000 + " GB")
            .orElse("memory unknown"),
        Runtime.version().feature(),
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /** Reads a value from Linux; on other systems it stays unknown. */
  private static Optional<String> value(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip().replace(';', ','))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
