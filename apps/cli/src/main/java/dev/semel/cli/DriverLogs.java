package dev.semel.cli;

import java.util.logging.LogManager;

/** What drivers write to the JDK's log, such as every try to reconnect. */
final class DriverLogs {
  private DriverLogs() {}

  /** For commands during which connections are meant to break. */
  static void off() {
    LogManager.getLogManager().reset();
  }
}
