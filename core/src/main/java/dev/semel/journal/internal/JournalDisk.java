package dev.semel.journal.internal;

import dev.semel.journal.JournalException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A folder of files, with the operations that a journal needs. It exists so that a simulation can
 * lose, tear and reorder data that was not forced; {@link #at} gives a real one.
 */
public interface JournalDisk {
  /** The folder at that path; created if missing. */
  static JournalDisk at(Path folder) throws IOException {
    return FolderDisk.at(folder);
  }

  /**
   * Locks the folder until closed, or until this process ends.
   *
   * @throws JournalException.InUse another process has the lock
   */
  Closeable lock() throws IOException;

  /** A folder inside this one, created if missing; it is not listed here. */
  JournalDisk folder(String name) throws IOException;

  /** The names of all files, in any order. */
  List<String> list() throws IOException;

  /** Opens the file; creates it if missing. */
  File open(String name) throws IOException;

  /** Renames a file; replaces a file that has the new name already. */
  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /**
   * Makes created, renamed and deleted files durable; before it returns, a power failure may undo
   * them.
   */
  void forceFolder() throws IOException;

  /** How many more bytes fit. */
  long usableBytes() throws IOException;

  /** The file's location, for people. */
  String where(String name);

  /** An open file. */
  interface File extends Closeable {
    long size() throws IOException;

    /** Fills the buffer, unless the file ends before. */
    void read(ByteBuffer into, long position) throws IOException;

    /** Writes all remaining bytes of the buffer. */
    void write(ByteBuffer from, long position) throws IOException;

    /** The channel, so that the system can copy from it; only a real disk has one. */
    default Optional<FileChannel> channel() {
      return Optional.empty();
    }

    /** Makes writes durable; before it returns, a power failure may lose them in part or whole. */
    void force() throws IOException;
  }
}
