package dev.semel.engine.spi;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
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
}
