package dev.semel.server.subscription.internal.rules;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One decision in progress: its changes, its calls and its timers. Changes take effect on the table
 * at once, so that a rule sees what it did; everyone else learns of them only after they are
 * written.
 */
public final class DecisionStep {
  private final SubscriptionTable table;
  private final long now;
  private final List<SubscriptionChange> changes = new ArrayList<>();
  private final List<WakeCall> calls = new ArrayList<>();
  private final Set<String> touched = new LinkedHashSet<>();

  public DecisionStep(SubscriptionTable table, long now) {
    this.table = table;
    this.now = now;
  }

  SubscriptionTable table() {
    return table;
  }

  public long now() {
    return now;
  }

  public void add(SubscriptionChange change) {
    table.apply(change);
    changes.add(change);
    if (change instanceof SubscriptionChange.Of c) {
      touched.add(c.id());
    }
  }

  void call(Subscription subscription) {
    subscription.now().calling(true);
    calls.add(new WakeCall(subscription.id(), subscription.generation()));
    touched.add(subscription.id());
  }

  /** Marks the subscription, because its next time may have changed. */
  void touch(Subscription subscription) {
    touched.add(subscription.id());
  }

  public List<SubscriptionChange> changes() {
    return changes;
  }

  public List<WakeCall> calls() {
    return calls;
  }

  public Set<String> touched() {
    return touched;
  }
}
