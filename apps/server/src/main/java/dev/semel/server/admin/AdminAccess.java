package dev.semel.server.admin;

import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/** Lets a request pass, or tells it why not. */
@FunctionalInterface
public interface AdminAccess {
  /**
   * Asks before anything is done.
   *
   * @param changes whether it would change something, or see what not every reader may
   * @return in whose name it is done; empty: the caller was told
   */
  Optional<String> admits(HttpServerRequest request, boolean changes);
}
