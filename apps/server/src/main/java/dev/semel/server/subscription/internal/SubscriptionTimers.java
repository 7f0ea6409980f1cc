package dev.semel.server.subscription.internal;

import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * At most one timer per subscription. When its time moves back, the timer still goes off early, and
 * is set again.
 */
final class SubscriptionTimers {
  private record Alarm(long timer, long at) {}

  private final Vertx vertx;
  private final Consumer<String> ring;
  private final Map<String, Alarm> alarms = new HashMap<>();

  SubscriptionTimers(Vertx vertx, Consumer<String> ring) {
    this.vertx = vertx;
    this.ring = ring;
  }

  void set(String id, long at, long now) {
    Alarm set = alarms.get(id);
    if (set != null && set.at() <= at) {
      return;
    }
    cancel(id);
    long timer =
        vertx.setTimer(
            Math.max(1, at - now),
            fired -> {
              alarms.remove(id);
              ring.accept(id);
            });
    alarms.put(id, new Alarm(timer, at));
  }

  void cancel(String id) {
    Alarm set = alarms.remove(id);
    if (set != null) {
      vertx.cancelTimer(set.timer());
    }
  }

  void clear() {
    alarms.values().forEach(alarm -> vertx.cancelTimer(alarm.timer()));
    alarms.clear();
  }
}
