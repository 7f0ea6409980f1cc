package dev.semel.junit.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Each run is a process of its own, as {@code ./proof} starts it. */
class PartListenerTest {
  @TempDir Path folder;

  static class Passing {
    @Test
    @Tag("proof")
    void first(TestReporter report) {
      report.publishEntry(Map.of("seed", "7", "kills", "20", "remark", "slow"));
    }

    @Test
    @Tag("proof")
    void second(TestReporter report) {
      report.publishEntry(Map.of("seed", "7", "kills", "3"));
    }

    @Test
    void ofTheGate() {
      throw new AssertionError("it is not of the second ring");
    }
  }

  static class Failing {
    @Test
    @Tag("proof")
    void lost() {
      throw new AssertionError("\nlost:\t3\nand more");
    }

    @Test
    @Tag("proof")
    void fine(TestReporter report) {
      report.publishEntry("seed", "9");
    }
  }

  static class NotHere {
    @Test
    @Tag("proof")
    void needsAnother() {
      assumeTrue(false, "not on this machine");
    }
  }

  static class Dying {
    @Test
    @Tag("proof")
    void dies() {
      Runtime.getRuntime().halt(3);
    }
  }

  private int run(Class<?> part, String... options) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "-D" + PartListener.FILE + "=" + result());
    builder.command().addAll(java.util.List.of(options));
    builder.command().add(RunPart.class.getName());
    builder.command().add(part.getName());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("out").toFile());
    return builder.start().waitFor();
  }

  private Path result() {
    return folder.resolve("result");
  }

  private String columns() throws IOException {
    return Files.readString(result()).replaceFirst("\t\\d+\t", "\tN\t");
  }

  @Test
  void figuresAreAddedUpAndSeedsListed() throws Exception {
    assertThat(run(Passing.class)).isZero();
    assertThat(columns()).isEqualTo("passed\tN\tseed=7 tests=2 kills=23\t\n");
    assertThat(folder.resolve("out")).content().contains("kills=20");
  }

  @Test
  void largerVolumeIsSaid() throws Exception {
    assertThat(run(Passing.class, "-Dsemel.proof.long=true")).isZero();
    assertThat(columns()).startsWith("passed\tN\tvolume=long seed=7 ");
  }

  @Test
  void aFailureIsItsFirstLine() throws Exception {
    assertThat(run(Failing.class)).isEqualTo(1);
    assertThat(columns()).isEqualTo("failed\tN\tseed=9 tests=2\tlost(): AssertionError: lost: 3\n");
    assertThat(folder.resolve("out")).content().contains("and more", "PartListenerTest.java");
  }

  @Test
  void whatDoesNotApplyHasNotPassed() throws Exception {
    assertThat(run(NotHere.class)).isZero();
    assertThat(columns()).isEqualTo("skipped\tN\ttests=0\t\n");
  }

  @Test
  void aPartThatDiesLeavesNoResult() throws Exception {
    assertThat(run(Dying.class)).isEqualTo(3);
    assertThat(result()).doesNotExist();
  }
}
