package dev.semel.engine.spi;

import java.nio.file.Path;
import java.time.InstantSource;

/**
 * The options for opening an engine.
 *
 * @param folder where relative paths of files begin
 * @param clock for engines without a clock
 * @param createTables whether missing tables are created; else opening fails
 * @param poolConnections whether connections are kept for the next call; not worth it for a process
 *     that makes a few calls and ends
 */
public record EngineOptions(
    Path folder, InstantSource clock, boolean createTables, boolean poolConnections) {
  public static EngineOptions defaults() {
    return new EngineOptions(Path.of(""), InstantSource.system(), true, true);
  }

  public EngineOptions withFolder(Path value) {
    return new EngineOptions(value, clock, createTables, poolConnections);
  }

  public EngineOptions withClock(InstantSource value) {
    return new EngineOptions(folder, value, createTables, poolConnections);
  }

  public EngineOptions withCreateTables(boolean value) {
    return new EngineOptions(folder, clock, value, poolConnections);
  }

  public EngineOptions withPoolConnections(boolean value) {
    return new EngineOptions(folder, clock, createTables, value);
  }
}
