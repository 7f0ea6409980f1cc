package dev.semel.event;

/** Receives every event, on the thread that made the decision. Must be quick and must not throw. */
@FunctionalInterface
public interface SemelListener {
  SemelListener NONE = event -> {};

  void on(Event event);

  default SemelListener and(SemelListener next) {
    return event -> {
      on(event);
      next.on(event);
    };
  }
}
