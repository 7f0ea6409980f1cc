package dev.semel.junit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long a test waits for an expected event. A wait ends as soon as its condition holds, so a
 * long limit costs nothing on a fast machine, and a busy one does not fail a correct program.
 */
public final class Patience implements LauncherSessionListener {
  /** The limit of every wait that sets none. */
  public static final Duration LIMIT = Duration.ofMinutes(3);

  /**
   * Lets real time pass. Use it only where a real engine's clock decides, and where a longer pause
   * would be just as right.
   */
  public static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Called by JUnit once per JVM, before it looks for tests. */
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(LIMIT);
    // A concurrent test class may throw on a thread on purpose, which is not this test's failure.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }
}
