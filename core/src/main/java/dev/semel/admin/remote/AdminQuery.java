package dev.semel.admin.remote;

import dev.semel.net.internal.ServerUrl;
import java.time.Instant;
import java.util.Optional;

/** An address below the API's root, in the making. For one thread. */
final class AdminQuery {
  private final StringBuilder text;
  private char next = '?';

  private AdminQuery(String path) {
    this.text = new StringBuilder(path);
  }

  static AdminQuery at(String path) {
    return new AdminQuery(path);
  }

  /** Left out where it is empty. */
  AdminQuery with(String name, String value) {
    if (!value.isEmpty()) {
      text.append(next).append(name).append('=').append(ServerUrl.encode(value));
      next = '&';
    }
    return this;
  }

  AdminQuery with(String name, long value) {
    return with(name, Long.toString(value));
  }

  AdminQuery with(String name, Optional<Instant> time) {
    return with(name, time.map(Instant::toString).orElse(""));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
