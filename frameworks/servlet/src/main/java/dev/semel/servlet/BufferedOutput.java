package dev.semel.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a handler writes until it is recorded; what grows over the limit goes through. For one
 * thread at a time.
 */
final class BufferedOutput extends ServletOutputStream {
  /** Gives the stream to the client, once the head was sent to it. */
  @FunctionalInterface
  interface Through {
    ServletOutputStream open() throws IOException;
  }

  private final int maxBytes;
  private final Through through;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private int lasting;
  private @Nullable ServletOutputStream client;
  private boolean explicit;
  private volatile boolean closed;
  private volatile boolean clientGone;

  BufferedOutput(int maxBytes, Through through) {
    this.maxBytes = maxBytes;
    this.through = through;
  }

  boolean streaming() {
    return client != null;
  }

  /** The client could not be written to any more. */
  boolean clientGone() {
    return clientGone;
  }

  byte[] kept() {
    return kept.toByteArray();
  }

  void clear() {
    kept.reset();
    lasting = 0;
  }

  /** What is written until now stays, whoever resets the buffer. */
  void makeLasting() {
    lasting = kept.size();
  }

  void clearRest() {
    byte[] all = kept.toByteArray();
    kept.reset();
    kept.write(all, 0, lasting);
  }

  /** Whatever is written from now on is no part of the answer. */
  void end() {
    closed = true;
  }

  void reopen() {
    closed = false;
  }

  /** The handler wants its client to see each piece as it comes. */
  void stream() throws IOException {
    explicit = true;
    open();
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (closed) {
      return;
    }
    if (client == null && length > maxBytes - kept.size()) {
      open();
    }
    ServletOutputStream to = client;
    if (to == null) {
      kept.write(bytes, offset, length);
    } else {
      send(() -> to.write(bytes, offset, length));
    }
  }

  private void open() throws IOException {
    if (client == null) {
      ServletOutputStream to = through.open();
      client = to;
      send(() -> kept.writeTo(to));
      kept.reset();
    }
  }

  private interface Sending {
    void run() throws IOException;
  }

  /**
   * A handler must not fail because its client left, or it would be done and not recorded. One that
   * streams must learn of it, or it would never end.
   */
  private void send(Sending sending) throws IOException {
    if (clientGone && !explicit) {
      return;
    }
    try {
      sending.run();
    } catch (IOException e) {
      clientGone = true;
      if (explicit) {
        throw e;
      }
    }
  }

  @Override
  public void flush() throws IOException {
    ServletOutputStream to = client;
    if (to != null && !closed) {
      send(to::flush);
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  /** Nothing is waited for: a stream to a slow client blocks instead. */
  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    try {
      listener.onWritePossible();
    } catch (IOException | RuntimeException e) {
      listener.onError(e);
    }
  }
}
