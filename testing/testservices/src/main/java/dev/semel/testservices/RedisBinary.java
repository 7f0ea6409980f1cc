package dev.semel.testservices;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** The Redis server for this platform, from a jar on the class path. */
record RedisBinary(String resource) {
  static final String VERSION = "7.0.15";
  private static final Set<String> CARRIED =
      Set.of("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64");

  static RedisBinary ofThisMachine() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  static RedisBinary of(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : osName;
    String arch =
        switch (osArch.toLowerCase(Locale.ROOT)) {
          case "x86_64", "amd64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> osArch;
        };
    String machine = (os + "-" + arch).toLowerCase(Locale.ROOT);
    if (!CARRIED.contains(machine)) {
      throw new IllegalStateException(
          "there is no Redis binary for %s %s: run the service tests on Linux or macOS, on amd64 or arm64"
              .formatted(osName, osArch));
    }
    return new RedisBinary("/redis-server-" + VERSION + "-" + machine);
  }

  /** The program file. */
  Path file() {
    return PreparedFiles.once(
        PreparedFiles.folder(), resource.substring(1), (place, last) -> copyTo(place));
  }

  private void copyTo(Path file) throws IOException {
    try (InputStream in = RedisBinary.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            "the class path has no " + resource + ": is org.signal:embedded-redis on it?");
      }
      Files.copy(in, file);
      if (!file.toFile().setExecutable(true)) {
        throw new IllegalStateException("could not make " + file + " executable");
      }
    }
  }
}
