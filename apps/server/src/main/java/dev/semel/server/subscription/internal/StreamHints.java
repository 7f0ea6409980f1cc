package dev.semel.server.subscription.internal;

import dev.semel.stream.StreamPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Streams of which someone said that they changed. Said from any thread, as often as appends come;
 * so a stream is kept once, and nothing is looked at here. When there are too many, that alone is
 * kept: then all streams are compared.
 */
public final class StreamHints {
  private final int max;
  private final Runnable wake;
  private final Set<StreamPath> paths = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean awake = new AtomicBoolean();
  private volatile boolean listening;
  private volatile boolean overflown;

  /**
   * @param wake is run once for many hints, on the thread of one who gives them
   */
  StreamHints(int max, Runnable wake) {
    this.max = max;
    this.wake = wake;
  }

  /** Whether anyone wants to hear. */
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
   * Hands them over; empty: there were too many. What is said from now on wakes again.
   *
   * <p>First of all it is no longer awake: what is said while it looks wakes once too often, never
   * too rarely.
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
