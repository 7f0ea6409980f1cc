package dev.semel.jdbc.internal.outbox;

import dev.semel.jdbc.internal.store.SqlSessions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Wakes listeners when new messages are committed: by this process, and where the engine supports
 * it also by others.
 */
public final class CommitNotifier {
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final @Nullable SqlSessions postgres;

  /**
   * Starts without listeners.
   *
   * @param postgres where to listen for other processes; null: don't
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
