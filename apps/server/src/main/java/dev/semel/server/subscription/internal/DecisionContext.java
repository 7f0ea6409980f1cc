package dev.semel.server.subscription.internal;

import dev.semel.server.subscription.internal.rules.DecisionStep;
import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import io.vertx.core.Future;
import java.util.Optional;

/** Makes decisions, one after the other, on one context. */
interface DecisionContext {
  /** Reads the state, and may change it through the step. */
  @FunctionalInterface
  interface Rule<T> {
    T decide(DecisionStep step, LoadedState state);
  }

  /**
   * Decides, and completes with the result once it is stored. Fails with a {@link
   * dev.semel.StoreException} if that can't be known.
   */
  <T> Future<T> decide(Rule<T> rule);

  /** Empty: the state is being loaded. */
  Optional<SubscriptionTable> table();
}
