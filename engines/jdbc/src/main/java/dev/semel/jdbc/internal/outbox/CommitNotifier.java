package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.SqlSessions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Those who are to be told that there is something to read: by writers of this process, and where
 * the engine can do so by those of others.
 */
public final class CommitNotifier {
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final @Nullable SqlSessions postgres;

  /**
   * Nobody listens yet.
   *
   * @param postgres where to listen for others; null: nowhere
   */
  public CommitNotifier(@Nullable SqlSessions postgres) {
    this.postgres = postgres;
  }

  public void ring() {
    listeners.forEach(Runnable::run);
  }

  AutoCloseable listen(Runnable ring) {
    listeners.add(ring);
    AutoCloseable others = postgres == null ? () -> {} : PostgresNotifier.listen(postgres, ring);
    return () -> {
      listeners.remove(ring);
      others.close();
    };
  }
}
