package dev.semel.cli.operate;

import dev.semel.Key;
import dev.semel.cli.ByteSizes;
import dev.semel.idempotency.spi.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/** Checks a store's latency and room. */
final class StoreChecks {
  private static final int CALLS = 21;
  private static final Key NOBODY = Key.of("semel-doctor", "doctor", "nobody");

  /** Each execution calls the store twice: above this, people notice. */
  private static final Duration SLOW = Duration.ofMillis(50);

  /** Above this, leases are at risk. */
  private static final Duration FAR_TOO_SLOW = Duration.ofSeconds(1);

  private static final long LITTLE = 1L << 30;
  private static final long HARDLY_ANY = 100L << 20;

  private StoreChecks() {}

  /** Measures with reads only. */
  static void latency(Store store, DoctorReport checkup) {
    long[] took = new long[CALLS];
    for (int i = 0; i < CALLS; i++) {
      long began = System.nanoTime();
      var unused = store.idempotency().find(NOBODY);
      took[i] = System.nanoTime() - began;
    }
    Arrays.sort(took);
    latency(Duration.ofNanos(took[CALLS / 2]), Duration.ofNanos(took[CALLS - 1]), checkup);
  }

  static void latency(Duration median, Duration longest, DoctorReport checkup) {
    String text =
        "half of %d reads took %s, the slowest %s".formatted(CALLS, text(median), text(longest));
    if (median.compareTo(FAR_TOO_SLOW) > 0) {
      checkup.problem(
          "latency", text + ": leases may end before they are renewed; look at the way there");
    } else if (median.compareTo(SLOW) > 0) {
      checkup.warn("latency", text + ": use a store that is nearer");
    } else {
      checkup.ok("latency", text);
    }
  }

  private static String text(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
  }

  /**
   * Checks the disk that holds a file.
   *
   * @param topic the subject of the finding
   */
  static void disk(String topic, Path file, DoctorReport checkup) {
    try {
      disk(topic, Files.getFileStore(file).getUsableSpace(), checkup);
    } catch (IOException e) {
      checkup.warn(topic, "how much is free can't be seen: " + e.getMessage());
    }
  }

  static void disk(String topic, long free, DoctorReport checkup) {
    String text = ByteSizes.text(free) + " are free";
    if (free < HARDLY_ANY) {
      checkup.problem(topic, text + ": make room, or writes will fail");
    } else if (free < LITTLE) {
      checkup.warn(topic, text + ": make room soon");
    } else {
      checkup.ok(topic, text);
    }
  }
}
