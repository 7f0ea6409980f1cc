package dev.semel.server.admin;

import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/** Authorizes requests of the admin API. */
@FunctionalInterface
public interface AdminAccess {
  /**
   * Checks a request before anything is done.
   *
   * @param changes whether it would change something, or show what not every reader may see
   * @return the name of its caller; empty: the check has answered with the reason
   */
  Optional<String> admits(HttpServerRequest request, boolean changes);
}
