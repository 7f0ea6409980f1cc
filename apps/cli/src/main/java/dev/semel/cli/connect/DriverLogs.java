package dev.semel.cli.connect;

import java.util.logging.LogManager;

/** What drivers write to the JDK's log, such as every try to reconnect. */
public final class DriverLogs {
  private DriverLogs() {}

  /** For commands during which connections are meant to break. */
  public static void off() {
    LogManager.getLogManager().reset();
  }
}
