package dev.semel.junit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long a test waits for what must happen. A wait ends as soon as its condition holds, so a long
 * limit costs nothing on a quick machine, and a busy one does not fail a correct program.
 */
public final class Patience implements LauncherSessionListener {
  /** The limit of every wait that names no other. */
  public static final Duration LIMIT = Duration.ofMinutes(3);

  /**
   * Lets real time pass: only where a real engine's own clock decides, which nobody can move, and
   * where a longer pause would be as right.
   */
  public static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** JUnit calls it, once in a JVM, before it looks for tests. */
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(LIMIT);
    // Another class that runs beside may throw on a thread on purpose: that is not ours to report.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }
}
