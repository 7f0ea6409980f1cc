package dev.semel.jdbc;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * Those who are to be told that there is something to read: by writers of this process, and where
 * the engine can do so by those of others.
 */
final class Bells {
  private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();
  private final @Nullable Sessions postgres;

  /**
   * Nobody listens yet.
   *
   * @param postgres where to listen for others; null: nowhere
   */
  Bells(@Nullable Sessions postgres) {
    this.postgres = postgres;
  }

  void ring() {
    listeners.forEach(Runnable::run);
  }

  AutoCloseable listen(Runnable ring) {
    Runnable own = ring::run; // the same may listen twice, and end once
    listeners.add(own);
    AutoCloseable others = postgres == null ? () -> {} : PostgresBell.listen(postgres, ring);
    return () -> {
      listeners.remove(own);
      others.close();
    };
  }
}
