package dev.semel.server.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.admin.EditConflict;
import dev.semel.internal.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder of a backup, which gets its name only when it is complete. Until then it stands beside
 * its target under a hidden name; {@link #close} deletes an unfinished one. For one thread.
 */
public final class BackupFolder implements AutoCloseable {
  /** The copy of the store's file. */
  public static final String STORE = "semel.db";

  static final String STREAMS = "streams";

  /** Checksums in the format of {@code sha256sum -c}; written last. */
  public static final String SUMS = "SHA256SUMS";

  private static final String GAP = "  ";

  private final Path target;
  private final Path beside;

  private BackupFolder(Path target, Path beside) {
    this.target = target;
    this.beside = beside;
  }

  static BackupFolder beside(Path folder) throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    Path parent = target.getParent();
    if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
      throw new InvalidInput(
          "nothing can be written to %s: name a folder within one that is there"
              .formatted(PrintableText.safe(folder.toString())));
    }
    if (Files.exists(target)) {
      throw new EditConflict(
          "there is something at %s already, which stays: choose another name"
              .formatted(PrintableText.safe(folder.toString())));
    }
    // Only its owner may read it, because it holds responses and tokens.
    Path beside =
        Files.createTempDirectory(
            parent,
            "." + target.getFileName() + ".unfinished-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return new BackupFolder(target, beside);
  }

  Path store() {
    return beside.resolve(STORE);
  }

  Path streams() {
    return beside.resolve(STREAMS);
  }

  Path target() {
    return target;
  }

  /** Gives the folder its name, once all of it is on the disk; returns its size in bytes. */
  long finish() throws IOException {
    List<String> sums = new ArrayList<>();
    long bytes = 0;
    for (Path file : files(beside)) {
      sums.add(hash(file) + GAP + beside.relativize(file));
      bytes += Files.size(file);
    }
    Path list = beside.resolve(SUMS);
    Files.write(list, sums);
    force(list);
    force(beside);
    if (Files.exists(target)) {
      throw new StoreException(
          "%s was made by someone else meanwhile: it was left alone"
              .formatted(PrintableText.safe(target.toString())));
    }
    Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
    Path parent = target.getParent();
    if (parent != null) {
      force(parent);
    }
    return bytes;
  }

  /**
   * Checks that a finished backup contains exactly the files of its list, unchanged. A file that is
   * not in the list is an error too, because a truncated list would not cover it.
   *
   * @return the differences; empty: the backup is intact
   */
  public static List<String> compare(Path folder) throws IOException {
    List<String> wrong = new ArrayList<>();
    Path list = folder.resolve(SUMS);
    Set<Path> listed = new HashSet<>(Set.of(list));
    for (String line : new String(Files.readAllBytes(list), UTF_8).lines().toList()) {
      Optional<Path> file = named(folder, line);
      if (file.isEmpty()) {
        wrong.add("the list holds a line that names no file of the backup");
      } else if (!Files.isRegularFile(file.get())) {
        wrong.add(folder.relativize(file.get()) + " is missing");
      } else if (!line.startsWith(hash(file.get()) + GAP)) {
        wrong.add(folder.relativize(file.get()) + " is not what it was");
      }
      file.ifPresent(listed::add);
    }
    files(folder).stream()
        .filter(file -> !listed.contains(file))
        .forEach(file -> wrong.add(folder.relativize(file) + " is not in the list"));
    return wrong;
  }

  /** The file that a line of the list names; empty: none in this folder. */
  private static Optional<Path> named(Path folder, String line) {
    int gap = line.indexOf(GAP);
    if (gap < 0) {
      return Optional.empty();
    }
    try {
      Path file = folder.resolve(line.substring(gap + GAP.length())).normalize();
      return Optional.of(file).filter(each -> each.startsWith(folder));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String hash(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        DigestInputStream digested =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      digested.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static void force(Path path) throws IOException {
    StandardOpenOption how =
        Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
    try (FileChannel channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    if (!Files.exists(beside)) {
      return;
    }
    try (Stream<Path> all = Files.walk(beside)) {
      all.sorted(Comparator.reverseOrder()).forEach(BackupFolder::delete);
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
