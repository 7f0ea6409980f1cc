package dev.semel.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. The build writes the number into a resource. */
public final class SemelVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"semel %s (Java %s)".formatted(number(), Runtime.version().feature())};
  }

  public static String number() {
    try (InputStream in = SemelVersion.class.getResourceAsStream("version.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
