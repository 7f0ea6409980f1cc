package dev.semel.engine.spi;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.idempotency.spi.Store;
import java.util.Optional;
import java.util.Set;

/** Opens an engine's URLs. {@link java.util.ServiceLoader} finds it. */
public interface EngineProvider {
  /** The schemes of its URLs, in lower case and without the colon, such as {@code redis}. */
  Set<String> schemes();

  /**
   * Opens the engine that the URL names.
   *
   * @param url with one of {@link #schemes}; it may hold a password, which no message may repeat
   * @throws InvalidInput the URL is not valid for this engine, or its driver is missing
   * @throws StoreException the engine can't be reached or used
   */
  Engine open(String url, EngineOptions options);

  /**
   * The engine of a store that is already open, for code that was given only the store. Closing
   * either closes both.
   *
   * @return empty: the store is not one of this provider's
   */
  default Optional<Engine> on(Store store) {
    return Optional.empty();
  }
}
