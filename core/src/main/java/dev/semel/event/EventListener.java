package dev.semel.event;

/** Hears of every decision, on the thread that made it. Must be quick and must not throw. */
@FunctionalInterface
public interface EventListener {
  EventListener NONE = event -> {};

  void on(Event event);

  default EventListener and(EventListener next) {
    return event -> {
      on(event);
      next.on(event);
    };
  }
}
