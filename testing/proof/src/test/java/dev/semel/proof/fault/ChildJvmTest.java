package dev.semel.proof.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.junit.Patience;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A child is stopped, goes on, is killed and comes back; its heart is heard in a file. */
class ChildJvmTest {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final long SOME_BEATS = 50;

  @TempDir private Path folder;

  /** Adds a byte every millisecond, and ends by itself should the test die. */
  static final class Heart {
    private Heart() {}

    public static void main(String[] args) throws IOException {
      System.out.println("started");
      long end = System.nanoTime() + PATIENCE.multipliedBy(2).toNanos();
      try (FileOutputStream file = new FileOutputStream(args[0], true)) {
        while (System.nanoTime() < end) {
          file.write('.');
          LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
      }
    }
  }

  private ChildJvm start(String name) {
    return ChildJvm.start(Heart.class, log(name), beats(name).toString());
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }

  private Path beats(String name) {
    return folder.resolve(name);
  }

  private void awaitBeats(String name) {
    long target = beats(name).toFile().length() + SOME_BEATS;
    await().until(() -> beats(name).toFile().length() >= target);
  }

  @Test
  void pausedChildStandsStillWhileOthersGoOn() {
    try (ChildJvm stopped = start("stopped");
        ChildJvm other = start("other")) {
      awaitBeats("stopped");
      stopped.pause();
      awaitBeats("other");
      long beats = beats("stopped").toFile().length();
      awaitBeats("other");
      assertThat(beats("stopped").toFile().length()).isEqualTo(beats);
      assertThat(stopped.alive()).isTrue();
      stopped.resume();
      awaitBeats("stopped");
      assertThat(other.alive()).isTrue();
    }
  }

  @Test
  void childComesBackWithTheSameArgumentsEvenIfItWasStopped() {
    try (ChildJvm child = start("child")) {
      awaitBeats("child");
      child.pause();
      child.restart();
      awaitBeats("child");
      assertThat(child.output().lines()).containsExactly("started", "started");
      child.kill();
      assertThat(child.alive()).isFalse();
      child.restart();
      assertThat(child.alive()).isTrue();
    }
  }
}
