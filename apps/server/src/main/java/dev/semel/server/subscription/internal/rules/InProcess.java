package dev.semel.server.subscription.internal.rules;

import dev.semel.stream.StreamPath;
import java.util.HashSet;
import java.util.Set;

/** What is known of a subscription in this process alone, and found anew by the next. */
public final class InProcess {
  /** Most streams whose end is remembered for the holder of a wake. */
  private static final int MAX_BURIED = 1000;

  private final Set<StreamPath> buried = new HashSet<>();
  private boolean calling;
  private long leaseUntil;
  private boolean full;

  /** Streams that went while a wake was held: its holder may still speak of them. */
  Set<StreamPath> buried() {
    return buried;
  }

  void bury(StreamPath path) {
    if (buried.size() < MAX_BURIED) {
      buried.add(path);
    }
  }

  /** Whether someone is being told of the wake. */
  boolean calling() {
    return calling;
  }

  void calling(boolean is) {
    calling = is;
  }

  /** When the wake is taken from its holder, in epoch milliseconds; 0: nobody holds it. */
  long leaseUntil() {
    return leaseUntil;
  }

  void leaseUntil(long time) {
    leaseUntil = time;
  }

  /** Whether streams that match are not linked for want of room. */
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
