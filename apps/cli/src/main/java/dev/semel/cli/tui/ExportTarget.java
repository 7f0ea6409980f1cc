package dev.semel.cli.tui;

import dev.semel.admin.StoreStats;
import java.io.IOException;

/** Destination of exported statistics. */
@FunctionalInterface
public interface ExportTarget {
  /** Writes them and returns their place. */
  String write(StoreStats stats) throws IOException;
}
