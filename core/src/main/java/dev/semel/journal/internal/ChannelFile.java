package dev.semel.journal.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A real file. Java closes a channel under all its users when one of their threads is interrupted.
 * Then this opens the file again, repeats the step from its start, and delays the interrupt until
 * after it: all threads share the file.
 */
final class ChannelFile implements JournalDisk.File {
  private final Path path;
  private final Set<OpenOption> again;
  private volatile FileChannel open;
  private volatile boolean closed;

  /** A step that can be repeated, because it names its position in the file. */
  @FunctionalInterface
  private interface Step<R> {
    R on(FileChannel channel) throws IOException;
  }

  private ChannelFile(Path path, Set<OpenOption> again, FileChannel open) {
    this.path = path;
    this.again = again;
    this.open = open;
  }

  static ChannelFile open(Path path, OpenOption... options) throws IOException {
    Set<OpenOption> again =
        Arrays.stream(options)
            .filter(option -> option != StandardOpenOption.CREATE)
            .collect(Collectors.toSet());
    return new ChannelFile(path, again, FileChannel.open(path, options));
  }

  private <R> R undisturbed(Step<R> step) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return step.on(open);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A force of the new channel also forces everything that the old one wrote to the file. */
  private synchronized void reopen(ClosedChannelException cause) throws IOException {
    if (closed) {
      throw cause;
    }
    if (!open.isOpen()) {
      open = FileChannel.open(path, again);
    }
  }

  @Override
  public Optional<FileChannel> channel() {
    return Optional.of(open);
  }

  @Override
  public long size() throws IOException {
    return undisturbed(FileChannel::size);
  }

  @Override
  public void read(ByteBuffer into, long position) throws IOException {
    int start = into.position();
    undisturbed(
        channel -> {
          into.position(start);
          int read = 0;
          while (read >= 0 && into.hasRemaining()) {
            read = channel.read(into, position + into.position() - start);
          }
          return read;
        });
  }

  @Override
  public void write(ByteBuffer from, long position) throws IOException {
    int start = from.position();
    undisturbed(
        channel -> {
          from.position(start);
          while (from.hasRemaining()) {
            channel.write(from, position + from.position() - start);
          }
          return start;
        });
  }

  @Override
  public void force() throws IOException {
    force(false);
  }

  /**
   * @param metadata whether to force metadata that reading does not need, too
   */
  void force(boolean metadata) throws IOException {
    FileChannel unused =
        undisturbed(
            channel -> {
              channel.force(metadata);
              return channel;
            });
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    open.close();
  }
}
