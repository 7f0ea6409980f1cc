package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.CopyOption;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that gets its name only when it is complete. Until then it has another name in the same
 * folder; closing deletes an unfinished one. For one thread.
 */
public final class UnfinishedFile implements AutoCloseable {
  private final Path target;
  private final Path beside;
  private final boolean replaces;
  private final FileOutputStream bytes;
  private final PrintStream out;

  private UnfinishedFile(Path target, Path beside, boolean replaces) throws IOException {
    this.target = target;
    this.beside = beside;
    this.replaces = replaces;
    this.bytes = new FileOutputStream(beside.toFile());
    this.out = new PrintStream(new BufferedOutputStream(bytes), false, StandardCharsets.UTF_8);
  }

  public static UnfinishedFile beside(Path target) throws IOException {
    Path whole = target.toAbsolutePath();
    Path folder = whole.getParent();
    if (folder == null || !Files.isWritable(folder) || Files.isDirectory(whole)) {
      throw new InvalidInput(
          "nothing can be written to %s: name a file in a folder that is there"
              .formatted(PrintableText.safe(target.toString())));
    }
    Path beside = Files.createTempFile(folder, ".semel-", ".unfinished");
    beside.toFile().deleteOnExit(); // for Ctrl-C
    return new UnfinishedFile(whole, beside, Files.exists(whole));
  }

  /** Whether a file of that name existed. */
  boolean replaces() {
    return replaces;
  }

  public PrintStream out() {
    return out;
  }

  /**
   * Gives the file its name, once all of it is on the disk.
   *
   * @throws StoreException not all of it could be written, or another process has created a file of
   *     that name
   */
  public void finish() throws IOException {
    boolean failed = out.checkError();
    if (!failed) {
      bytes.getChannel().force(true);
    }
    out.close();
    if (failed || out.checkError()) {
      throw new StoreException(
          "not all could be written to %s: is the disk full?"
              .formatted(PrintableText.safe(target.toString())));
    }
    CopyOption[] how =
        replaces ? new CopyOption[] {StandardCopyOption.REPLACE_EXISTING} : new CopyOption[0];
    try {
      Files.move(beside, target, how);
    } catch (FileAlreadyExistsException e) {
      throw new StoreException(
          "%s was made by someone else meanwhile: it was left alone"
              .formatted(PrintableText.safe(target.toString())),
          e);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
    Files.deleteIfExists(beside);
  }
}
