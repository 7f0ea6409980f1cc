package dev.semel.junit.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.junit.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** Each run is a process of its own, as {@code ./proof} starts it. */
class PartListenerTest {
  @TempDir Path folder;
  private String said = "";

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

  static class FailingWithin {
    @Nested
    class OnOneEngine {
      @Test
      @Tag("proof")
      void lost() {
        throw new AssertionError("lost: 3");
      }
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

  private int run(Class<?> part, String... options) {
    List<String> flags = new ArrayList<>(TestProcess.SMALL);
    flags.add("-D" + PartListener.FILE + "=" + result());
    flags.addAll(List.of(options));
    try (TestProcess process =
        TestProcess.start(TestProcess.java(flags, RunPart.class, part.getName()))) {
      int code = process.await();
      said = process.output();
      return code;
    }
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
    assertThat(said).contains("kills=20");
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
    assertThat(said).contains("and more", "PartListenerTest.java");
  }

  /** Else nobody knew which engine of a contract it was. */
  @Test
  void aFailureSaysWhereInItsClassItIs() throws Exception {
    assertThat(run(FailingWithin.class)).isEqualTo(1);
    assertThat(columns()).endsWith("\tOnOneEngine, lost(): AssertionError: lost: 3\n");
    assertThat(said).contains("failed: PartListenerTest$FailingWithin > OnOneEngine > lost()");
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
