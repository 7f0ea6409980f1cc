package dev.semel.journal;

import static dev.semel.journal.Collected.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal on real files, and processes that die. */
class FolderDiskTest {
  private static final Journal.Settings SETTINGS = CommittingChild.SETTINGS;
  private static final int ROUNDS = 2;
  private static final int COMMITS = 300;

  @TempDir Path folder;

  private Journal open(Replay replay) throws IOException {
    return Journal.open(Disk.at(folder.resolve("data/journal")), SETTINGS, replay);
  }

  private Process child() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            CommittingChild.class.getName(),
            folder.resolve("data/journal").toString())
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void recordsAreThereAfterReopening() throws IOException {
    String large = "x".repeat(SETTINGS.maxRecordBytes());
    try (Journal journal = open(new Collected())) {
      journal.append(bytes("a"));
      journal.append(bytes(large));
      journal.commit();
      journal.checkpoint(2, out -> out.write('s'));
    }
    Collected collected = new Collected();
    open(collected).close();
    assertThat(collected.snapshot).isEqualTo("2:s");
    assertThat(collected.records).isEqualTo(List.of("2:" + large));
  }

  @Test
  void whereItsOwnerCantBeWrittenDownItIsNotKept() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data/journal"));
    Path owner = Files.createSymbolicLink(data.resolve("journal.owner"), Path.of("none/here"));
    assertThatThrownBy(() -> open(new Collected())).isInstanceOf(JournalException.Failed.class);

    Files.delete(owner);
    open(new Collected()).close();
    assertThat(owner).doesNotExist();
  }

  @Test
  void aSecondOpenerIsToldWhoHasIt() throws IOException, InterruptedException {
    String pid = "process " + ProcessHandle.current().pid() + " on ";
    Journal journal = open(new Collected());
    try (journal) {
      assertThatThrownBy(() -> open(new Collected()))
          .isInstanceOf(JournalException.InUse.class)
          .hasMessageContaining(pid);
      // Another process is kept out too, even after one of ours has tried and failed.
      Process child = child();
      try (BufferedReader said = child.inputReader()) {
        assertThat(said.readLine()).contains("in use by " + pid);
      } finally {
        child.destroyForcibly().waitFor();
      }
    }
    open(new Collected()).close();
    journal.close();
    assertThat(folder.resolve("data/journal/journal.owner")).doesNotExist();
  }

  @Test
  void killedProcessesLoseNothingTheyCommitted() throws IOException, InterruptedException {
    long last = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Process child = child();
      int commits = 0;
      try (BufferedReader said = child.inputReader()) {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
          last = Long.parseLong(line);
          if (++commits == COMMITS) {
            child.toHandle().destroyForcibly(); // leaves what it said to be read
          }
        }
      }
      assertThat(child.waitFor()).isEqualTo(137);
      assertThat(commits).isGreaterThanOrEqualTo(COMMITS);
      Collected collected = new Collected();
      try (Journal journal = open(collected)) {
        assertThat(journal.committed()).isGreaterThanOrEqualTo(last);
        assertThat(collected.snapshot).isNotEmpty();
      }
    }
    try (var files = Files.list(folder.resolve("data/journal"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".segment")).count()).isLessThan(5);
    }
  }
}
