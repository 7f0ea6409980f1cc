package dev.semel.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has the tests' listener for failed background loops listen from the start, in modules that have
 * it. A loop logs at most one line a minute: a test that began to listen after another test's line
 * would wait for the next one.
 */
public final class EarlyListening implements LauncherSessionListener {
  /** It listens once it is loaded. It is in a module that needs this one for its own tests. */
  public static final String LISTENER = "dev.semel.tck.LoopReports";

  /** JUnit calls it, once in a JVM, before it looks for tests. */
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    try {
      Class<?> unused = Class.forName(LISTENER);
    } catch (ClassNotFoundException e) {
      return; // the tests of this module watch no loop
    }
  }
}
