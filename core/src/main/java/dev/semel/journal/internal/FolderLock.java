package dev.semel.journal.internal;

import dev.semel.journal.JournalException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * Makes one process the owner of a folder. The operating system's lock ends with the process; a
 * file beside it names the owner.
 */
record FolderLock(FileChannel channel, Path owner) implements Closeable {
  static synchronized FolderLock take(Path folder) throws IOException {
    Path owner = folder.resolve("journal.owner");
    String self = self();
    // Closing any channel of a locked file gives up the process's lock on it. So the file must not
    // be opened again where this process is the owner, or is about to be.
    if (self.equals(ownerIn(owner))) {
      throw inUse(folder, self);
    }
    FileChannel channel =
        FileChannel.open(
            folder.resolve("journal.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!lock(channel)) {
      channel.close();
      throw inUse(folder, ownerIn(owner));
    }
    try {
      Files.writeString(owner, self);
    } catch (IOException e) {
      channel.close(); // else this process could never lock it again
      throw e;
    }
    return new FolderLock(channel, owner);
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** Identifies a process among all that ever had its number. */
  private static String self() {
    ProcessHandle process = ProcessHandle.current();
    return "process %d on %s, started %s"
        .formatted(process.pid(), host(), process.info().startInstant().orElse(Instant.EPOCH));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "a host without a name";
    }
  }

  private static String ownerIn(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  private static JournalException.InUse inUse(Path folder, String owner) {
    return new JournalException.InUse(
        "the journal in %s is in use by %s; one process at a time can have it"
            .formatted(folder, owner.isEmpty() ? "another process" : owner));
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      Files.deleteIfExists(owner);
    }
  }
}
