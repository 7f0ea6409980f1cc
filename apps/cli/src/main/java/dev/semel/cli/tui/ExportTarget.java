package dev.semel.cli.tui;

import dev.semel.admin.StoreStats;
import java.io.IOException;

/** Where statistics are written to. */
@FunctionalInterface
public interface ExportTarget {
  /** Writes them, and says where they are. */
  String write(StoreStats stats) throws IOException;
}
