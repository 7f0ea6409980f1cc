package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.StreamPath;
import java.util.HashSet;
import java.util.Set;

/** State of a subscription that only this process has; the next one finds it anew. */
public final class InProcess {
  /** Limit of deleted streams that are remembered for the holder of a wake. */
  private static final int MAX_BURIED = 1000;

  private final Set<StreamPath> buried = new HashSet<>();
  private boolean calling;
  private long leaseUntil;
  private boolean full;

  /** Streams that were removed while a wake was held: its holder may still acknowledge them. */
  Set<StreamPath> buried() {
    return buried;
  }

  void bury(StreamPath path) {
    if (buried.size() < MAX_BURIED) {
      buried.add(path);
    }
  }

  /** Whether a call for the wake is under way. */
  boolean calling() {
    return calling;
  }

  void calling(boolean is) {
    calling = is;
  }

  /** When the lease ends, in epoch milliseconds; 0: there is none. */
  long leaseUntil() {
    return leaseUntil;
  }

  void leaseUntil(long time) {
    leaseUntil = time;
  }

  /** Whether matching streams are not linked for want of room. */
  public boolean full() {
    return full;
  }

  public void full(boolean is) {
    full = is;
  }

  void ended() {
    calling = false;
    leaseUntil = 0;
  }
}
