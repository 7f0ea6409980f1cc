package dev.semel.junit;

import java.time.Duration;
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

  /** JUnit calls it, once in a JVM, before it looks for tests. */
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(LIMIT);
    // Another class that runs beside may throw on a thread on purpose: that is not ours to report.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }
}
