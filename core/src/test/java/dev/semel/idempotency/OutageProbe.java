package dev.semel.idempotency;

import dev.semel.idempotency.internal.OutageJournal;
import java.nio.file.Path;

/** Another process that looks for journals of the dead, and says how many it found. */
public final class OutageProbe {
  private OutageProbe() {}

  public static void main(String[] args) {
    System.out.println("found " + OutageJournal.abandoned(Path.of(args[0])).size());
  }
}
