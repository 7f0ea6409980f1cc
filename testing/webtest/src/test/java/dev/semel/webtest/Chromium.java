package dev.semel.webtest;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The browser: the one on the path, else Debian's, which is installed for that. */
final class Chromium {
  /** A download over a slow line. */
  private static final int INSTALL_MINUTES = 15;

  /** It talks to the page's server and to nobody else. */
  static final List<String> FLAGS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private Chromium() {}

  static synchronized Path find() {
    return onPath()
        .orElseGet(
            () -> {
              install();
              return onPath()
                  .orElseThrow(
                      () -> new IllegalStateException("chromium was installed, but is not there"));
            });
  }

  private static Optional<Path> onPath() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin");
    return Arrays.stream(path.split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "chromium"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static void install() {
    run("apt-get", "update", "-q");
    // Another suite beside this one may be installing something too.
    String patience = "DPkg::Lock::Timeout=" + TimeUnit.MINUTES.toSeconds(INSTALL_MINUTES);
    run("apt-get", "install", "-y", "-q", "--no-install-recommends", "-o", patience, "chromium");
  }

  private static void run(String... command) {
    try {
      Path said = Files.createTempFile("semel-chromium", ".log");
      ProcessBuilder asked =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
      asked.environment().put("DEBIAN_FRONTEND", "noninteractive");
      Process process = asked.start();
      boolean ended = process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES);
      if (!ended || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IllegalStateException(
            "there is no chromium, and %s failed: install it as root. It said:%n%s"
                .formatted(
                    String.join(" ", command), Files.readString(said, StandardCharsets.UTF_8)));
      }
      Files.delete(said);
    } catch (IOException e) {
      throw new UncheckedIOException("there is no chromium: install it", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while chromium was installed", e);
    }
  }
}
