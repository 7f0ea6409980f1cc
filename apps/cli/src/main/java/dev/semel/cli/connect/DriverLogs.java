package dev.semel.cli.connect;

import java.util.logging.LogManager;

/** Messages that drivers write to the JDK's log, such as every attempt to reconnect. */
public final class DriverLogs {
  private DriverLogs() {}

  /** Turns them off, for commands during which connections break on purpose. */
  public static void off() {
    LogManager.getLogManager().reset();
  }
}
