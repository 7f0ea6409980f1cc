package dev.semel.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Buffers a handler's output until it is recorded; output over the limit is streamed. For one
 * thread at a time.
 */
final class BufferedOutput extends ServletOutputStream {
  /** Sends the head, and opens the stream to the client. */
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

  /** Whether writing to the client failed. */
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

  /** Keeps the output so far, even if the buffer is reset. */
  void makeLasting() {
    lasting = kept.size();
  }

  void clearRest() {
    byte[] all = kept.toByteArray();
    kept.reset();
    kept.write(all, 0, lasting);
  }

  /** Ends the answer; later output is ignored. */
  void end() {
    closed = true;
  }

  void reopen() {
    closed = false;
  }

  /** Starts streaming, because the handler wants its client to see each piece at once. */
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
   * Writes to the client. A lost client must not make a buffered handler fail, or its effect would
   * go unrecorded; a streaming handler must see the error, or it would never end.
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

  /** Always ready: writing to a slow client blocks instead. */
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
