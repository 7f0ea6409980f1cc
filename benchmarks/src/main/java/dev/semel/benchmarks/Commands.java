package dev.semel.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs other programs to their end. */
public final class Commands {
  private Commands() {}

  public static void run(Path folder, String... command) throws IOException {
    output(new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true));
  }

  /** The program's output; a failure's message contains it, too. */
  public static String output(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(List.copyOf(builder.command()) + " failed:\n" + output);
      }
      return output;
    } catch (InterruptedException e) {
      process.destroy();
      throw new IOException("interrupted", e);
    }
  }
}
