package dev.semel.engine.spi;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.idempotency.spi.Store;
import java.util.Optional;
import java.util.Set;

/** Opens engines by their URLs. Found by {@link java.util.ServiceLoader}. */
public interface EngineProvider {
  /** What its URLs begin with, in lower case and without the colon, such as {@code redis}. */
  Set<String> schemes();

  /**
   * Opens what the URL names.
   *
   * @param url with one of {@link #schemes}; it may hold a password, which no message may repeat
   * @throws InvalidInput the URL is not one of this engine, or its driver is not there
   * @throws StoreException the engine can't be reached or used
   */
  Engine open(String url, EngineOptions options);

  /**
   * The engine of a store that is open already, for code that was given the store alone. Closing it
   * closes the store; so let either be closed.
   *
   * @return empty: the store is not one of this provider's
   */
  default Optional<Engine> on(Store store) {
    return Optional.empty();
  }
}
