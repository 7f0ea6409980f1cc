package dev.semel.journal.internal;

import dev.semel.journal.JournalException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** Appends and commits until it is killed, and says after each commit how far it came. */
final class CommittingChild {
  static final Journal.Settings SETTINGS = new Journal.Settings(64 << 10, 4 << 10, 0);
  private static final int CHECKPOINT_EVERY = 1000;

  private CommittingChild() {}

  public static void main(String[] args) throws IOException {
    Random random = new Random();
    try (Journal journal =
        Journal.open(JournalDisk.at(Path.of(args[0])), SETTINGS, new Collected())) {
      long checkpoint = journal.committed();
      while (true) {
        for (int i = random.nextInt(20); i >= 0; i--) {
          journal.append(Collected.bytes("record " + (journal.committed() + i)));
        }
        journal.commit();
        System.out.println(journal.committed());
        if (journal.committed() - checkpoint > CHECKPOINT_EVERY) {
          checkpoint = journal.committed();
          journal.checkpoint(checkpoint + 1, out -> out.write('s'));
        }
      }
    } catch (JournalException.InUse e) {
      System.out.println(e.getMessage());
    }
  }
}
