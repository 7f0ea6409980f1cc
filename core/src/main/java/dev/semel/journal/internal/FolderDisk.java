package dev.semel.journal.internal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** A real folder. */
record FolderDisk(Path folder, FileStore store) implements JournalDisk {
  static FolderDisk at(Path path) throws IOException {
    Path folder = path.toAbsolutePath();
    make(folder);
    return new FolderDisk(folder, Files.getFileStore(folder));
  }

  /** A folder is durable once its parent was forced, and that one's parent in turn. */
  private static void make(Path folder) throws IOException {
    Path parent = folder.getParent();
    if (parent != null && !Files.isDirectory(folder)) {
      make(parent);
      Files.createDirectories(folder);
      forceFolder(parent);
    }
  }

  @Override
  public Closeable lock() throws IOException {
    return FolderLock.take(folder);
  }

  @Override
  public JournalDisk folder(String name) throws IOException {
    return at(folder.resolve(name));
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !Files.isDirectory(file))
          .map(file -> String.valueOf(file.getFileName()))
          .toList();
    }
  }

  @Override
  public File open(String name) throws IOException {
    return ChannelFile.open(
        folder.resolve(name),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(folder.resolve(from), folder.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(folder.resolve(name));
  }

  @Override
  public void forceFolder() throws IOException {
    forceFolder(folder);
  }

  private static void forceFolder(Path folder) throws IOException {
    if (java.io.File.separatorChar == '\\') {
      return; // Windows can't open, and so not force, folders.
    }
    try (ChannelFile opened = ChannelFile.open(folder, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }

  @Override
  public long usableBytes() throws IOException {
    return store.getUsableSpace();
  }

  @Override
  public String where(String name) {
    return folder.resolve(name).toString();
  }
}
