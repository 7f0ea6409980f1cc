package dev.semel.testservices;

import dev.semel.junit.TestProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A NATS server of at least {@value #OLDEST_MAJOR}.{@value #OLDEST_MINOR}: the file in {@value
 * #VARIABLE}, or the one on the path, or Debian's, which is downloaded once per user.
 */
record NatsBinary(Path file) {
  static final String VARIABLE = "SEMEL_NATS_BIN";
  static final int OLDEST_MAJOR = 2;
  static final int OLDEST_MINOR = 10;

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
  private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.(\\d+)");

  static NatsBinary find() {
    String named = System.getenv(VARIABLE);
    if (named != null && !named.isEmpty()) {
      return named(Path.of(named));
    }
    return onPath(System.getenv("PATH")).orElseGet(() -> cached(PreparedFiles.folder()));
  }

  static NatsBinary named(Path file) {
    if (!newEnough(version(file))) {
      throw new IllegalStateException(
          "%s names %s, which is no NATS server of at least %d.%d: name another, or none"
              .formatted(VARIABLE, file, OLDEST_MAJOR, OLDEST_MINOR));
    }
    return new NatsBinary(file);
  }

  static Optional<NatsBinary> onPath(@Nullable String path) {
    return Arrays.stream((path == null ? "" : path).split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "nats-server"))
        .filter(Files::isExecutable)
        .filter(file -> newEnough(version(file)))
        .map(NatsBinary::new)
        .findFirst();
  }

  static NatsBinary cached(Path folder) {
    return new NatsBinary(
        PreparedFiles.once(
            folder, "nats-server-" + DebianPackage.SUITE, (place, last) -> download(place)));
  }

  private static void download(Path place) throws IOException {
    try (ScratchFolder scratch = new ScratchFolder("nats-package")) {
      Path fresh = DebianPackage.extract("nats-server", scratch).resolve("usr/sbin/nats-server");
      if (!newEnough(version(fresh))) {
        throw new IllegalStateException("Debian's NATS server does not run here: set " + VARIABLE);
      }
      Files.copy(fresh, place, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  static boolean newEnough(String version) {
    Matcher numbers = VERSION.matcher(version);
    if (!numbers.find()) {
      return false;
    }
    int major = Integer.parseInt(numbers.group(1));
    int minor = Integer.parseInt(numbers.group(2));
    return major > OLDEST_MAJOR || (major == OLDEST_MAJOR && minor >= OLDEST_MINOR);
  }

  /** The program's output for its version; empty: none. */
  static String version(Path file) {
    try (TestProcess asked = TestProcess.start(List.of(file.toString(), "--version"))) {
      return asked.endsWithin(ANSWER_LIMIT) ? asked.output() : "";
    } catch (UncheckedIOException e) {
      return "";
    }
  }
}
