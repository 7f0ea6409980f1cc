package dev.semel.cli.run;

import java.util.Map;

/**
 * Gives a command the caller's locale. The launcher gives the JVM a UTF-8 locale, because a JVM in
 * the C locale, as in cron, reads every byte beyond ASCII as the same question mark, so that two
 * keys become one.
 */
final class CallerLocale {
  /** Holds {@code =value}, or nothing if the caller had no LC_ALL. */
  private static final String SAVED = "SEMEL_CALLER_LC_ALL";

  private static final String LC_ALL = "LC_ALL";

  private CallerLocale() {}

  static void restore(Map<String, String> environment) {
    String saved = environment.remove(SAVED);
    if (saved == null) {
      return;
    }
    if (saved.isEmpty()) {
      environment.remove(LC_ALL);
    } else {
      environment.put(LC_ALL, saved.substring(1));
    }
  }
}
