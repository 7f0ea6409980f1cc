package dev.semel.server.subscription;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One decision in the making: what it changes, whom it calls, whose clock it sets. Changes take
 * effect on the table at once, so that a rule sees what it did; nobody else is told before they are
 * written.
 */
final class Step {
  private final Table table;
  private final long now;
  private final List<Change> changes = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final Set<String> touched = new LinkedHashSet<>();

  Step(Table table, long now) {
    this.table = table;
    this.now = now;
  }

  Table table() {
    return table;
  }

  long now() {
    return now;
  }

  void add(Change change) {
    table.apply(change);
    changes.add(change);
    if (change instanceof Change.Of c) {
      touched.add(c.id());
    }
  }

  void call(Subscription subscription) {
    subscription.now().calling(true);
    calls.add(new Call(subscription.id(), subscription.generation()));
    touched.add(subscription.id());
  }

  /** Its next time may be another now. */
  void touch(Subscription subscription) {
    touched.add(subscription.id());
  }

  List<Change> changes() {
    return changes;
  }

  List<Call> calls() {
    return calls;
  }

  Set<String> touched() {
    return touched;
  }
}
