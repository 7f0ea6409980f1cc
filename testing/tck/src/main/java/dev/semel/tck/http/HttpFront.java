package dev.semel.tck.http;

import java.net.URI;

/** A running front with a separate backend; closing it stops both. */
public interface HttpFront extends AutoCloseable {
  /**
   * Such as {@code http://127.0.0.1:8080}: without a path, because the backend's paths start there.
   */
  URI uri();

  @Override
  void close();
}
