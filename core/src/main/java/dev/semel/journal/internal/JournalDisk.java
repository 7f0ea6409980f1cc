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
 * A folder of files, with as many operations as a journal needs. It exists so that a simulation can
 * lose, tear and reorder what was not forced; {@link #at} is the real one.
 */
public interface JournalDisk {
  /** The folder at that path, made if it is not there. */
  static JournalDisk at(Path folder) throws IOException {
    return FolderDisk.at(folder);
  }

  /**
   * Keeps everyone else out until closed, or until this process ends.
   *
   * @throws JournalException.InUse someone else is in
   */
  Closeable lock() throws IOException;

  /** A folder within this one, made if it is not there; it is not listed here. */
  JournalDisk folder(String name) throws IOException;

  /** The names of all files, in any order. */
  List<String> list() throws IOException;

  /** Opens the file, which is made if it is not there. */
  File open(String name) throws IOException;

  /** Takes the place of a file that has the new name already. */
  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /** Until this returns, files made, renamed and deleted may be so or not after a power failure. */
  void forceFolder() throws IOException;

  /** How much more fits. */
  long usableBytes() throws IOException;

  /** How a person finds that file. */
  String where(String name);

  /** An open file. */
  interface File extends Closeable {
    long size() throws IOException;

    /** Fills the buffer, unless the file ends before. */
    void read(ByteBuffer into, long position) throws IOException;

    /** Writes all that remains in the buffer. */
    void write(ByteBuffer from, long position) throws IOException;

    /** For those who let the system copy from it; only a real disk has one. */
    default Optional<FileChannel> channel() {
      return Optional.empty();
    }

    /** Until this returns, what was written may be there, in part or not, after a power failure. */
    void force() throws IOException;
  }
}
