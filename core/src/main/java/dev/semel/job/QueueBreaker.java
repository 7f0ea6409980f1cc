package dev.semel.job;

import dev.semel.Operation;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.loop.Platform;

/**
 * A circuit breaker: lets a queue rest when all its jobs fail, because something that they all need
 * is probably away and further tries would only use up their attempts. After the rest, one job is
 * tried. Safe for use by many threads.
 */
final class QueueBreaker {
  private final Platform platform;
  private final Operation operation;
  private final int failures;
  private final long rest;
  private final SemelListener listener;
  private int inARow;
  private boolean open;
  private long tryAt;

  QueueBreaker(
      Platform platform, Operation operation, ProcessorSettings settings, SemelListener listener) {
    this.platform = platform;
    this.operation = operation;
    this.failures = settings.circuitFailures();
    this.rest = settings.circuitRest().toNanos();
    this.listener = listener;
  }

  /** How many of the wanted jobs may start now. */
  synchronized int allows(int wanted) {
    if (!open) {
      return wanted;
    }
    long now = platform.nanos();
    if (wanted < 1 || now - tryAt < 0) {
      return 0;
    }
    tryAt = now + rest; // without an answer by then, another job is tried
    return 1;
  }

  synchronized boolean isOpen() {
    return open;
  }

  void succeeded() {
    boolean closed;
    synchronized (this) {
      closed = open;
      open = false;
      inARow = 0;
    }
    if (closed) {
      listener.on(new Event.CircuitChanged(operation, false, ""));
    }
  }

  void failed(String reason) {
    boolean opened;
    synchronized (this) {
      inARow++;
      opened = !open && inARow >= failures;
      if (opened || open) {
        open = true;
        tryAt = platform.nanos() + rest;
      }
    }
    if (opened) {
      listener.on(new Event.CircuitChanged(operation, true, reason));
    }
  }
}
