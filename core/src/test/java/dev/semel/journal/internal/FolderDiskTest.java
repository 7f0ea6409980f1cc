package dev.semel.journal.internal;

import static dev.semel.journal.internal.Collected.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.journal.JournalException;
import dev.semel.junit.TestProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
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

  private Journal open(JournalReplay replay) throws IOException {
    return Journal.open(JournalDisk.at(folder.resolve("data/journal")), SETTINGS, replay);
  }

  private Process child() throws IOException {
    return new ProcessBuilder(
            TestProcess.java(
                TestProcess.SMALL,
                CommittingChild.class,
                folder.resolve("data/journal").toString()))
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

  /** As it is for a thread that is interrupted in the midst of a write, or just before it. */
  @Test
  void interruptsArePutOffUntilTheDiskHasItAll() throws IOException {
    String large = "x".repeat(SETTINGS.maxRecordBytes());
    Journal journal = open(new Collected());
    try {
      Thread.currentThread().interrupt();
      journal.append(bytes("a"));
      journal.append(bytes(large));
      journal.append(bytes(large)); // another segment
      journal.commit();
      journal.checkpoint(2, out -> out.write('s'));
      journal.append(bytes("b"));
      journal.commit();
      assertThat(Thread.interrupted()).as("it stays interrupted").isTrue();
      journal.append(bytes("c"));
      journal.commit();
    } finally {
      boolean unused = Thread.interrupted();
      journal.close();
    }
    Collected collected = new Collected();
    open(collected).close();
    assertThat(collected.snapshot).isEqualTo("2:s");
    assertThat(collected.records).isEqualTo(List.of("2:" + large, "3:" + large, "4:b", "5:c"));
  }

  /** A reader that was interrupted has closed the channel for all who use it. */
  @Test
  void aFileThatAnotherClosedIsOpenedAgain() throws IOException {
    JournalDisk disk = JournalDisk.at(folder.resolve("files"));
    JournalDisk.File file = disk.open("a");
    file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
    file.channel().orElseThrow().close();
    file.write(ByteBuffer.wrap(new byte[] {4}), 3);
    file.force();
    file.channel().orElseThrow().close();
    assertThat(file.size()).isEqualTo(4);
    ByteBuffer read = ByteBuffer.allocate(4);
    file.read(read, 0);
    assertThat(read.array()).containsExactly(1, 2, 3, 4);
    file.close();
    assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[] {5}), 4))
        .isInstanceOf(ClosedChannelException.class);
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
