package dev.semel.server.subscription.internal;

import dev.semel.stream.StreamPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Streams that were reported as changed. Any thread reports, as often as appends come, so each
 * stream is kept once and nothing is looked up here. Beyond the limit only that fact is kept, and
 * all streams are compared.
 */
public final class StreamHints {
  private final int max;
  private final Runnable wake;
  private final Set<StreamPath> paths = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean awake = new AtomicBoolean();
  private volatile boolean listening;
  private volatile boolean overflown;

  /**
   * @param wake runs once for many hints, on a thread that gives them
   */
  StreamHints(int max, Runnable wake) {
    this.max = max;
    this.wake = wake;
  }

  /** Whether hints are wanted. */
  void listening(boolean on) {
    if (listening != on) {
      listening = on;
    }
  }

  public void changed(StreamPath path) {
    if (!listening) {
      return;
    }
    if (paths.size() < max) {
      paths.add(path);
    } else {
      overflown = true;
    }
    if (awake.compareAndSet(false, true)) {
      wake.run();
    }
  }

  /**
   * Takes the hints; empty: there were too many. Later hints wake again.
   *
   * <p>It clears the flag first: hints during the call then wake once too often, never too rarely.
   */
  Optional<List<StreamPath>> take() {
    awake.set(false);
    List<StreamPath> taken = new ArrayList<>();
    paths.removeIf(taken::add);
    if (overflown) {
      overflown = false;
      return Optional.empty();
    }
    return Optional.of(taken);
  }
}
