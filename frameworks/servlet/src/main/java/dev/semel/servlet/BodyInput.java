package dev.semel.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;

/** Reads a body that is already in memory. */
final class BodyInput extends ServletInputStream {
  private final byte[] body;
  private int next;

  BodyInput(byte[] body) {
    this.body = body;
  }

  @Override
  public int read() {
    return next < body.length ? body[next++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (next == body.length) {
      return -1;
    }
    int count = Math.min(length, body.length - next);
    System.arraycopy(body, next, into, offset, count);
    next += count;
    return count;
  }

  @Override
  public int available() {
    return body.length - next;
  }

  @Override
  public boolean isFinished() {
    return next == body.length;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  /** Calls the listener before this returns, because all data is available. */
  @Override
  public void setReadListener(ReadListener listener) {
    try {
      if (!isFinished()) {
        listener.onDataAvailable();
      }
      if (isFinished()) {
        listener.onAllDataRead();
      }
    } catch (IOException | RuntimeException e) {
      listener.onError(e);
    }
  }
}
