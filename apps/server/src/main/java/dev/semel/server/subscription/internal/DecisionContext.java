package dev.semel.server.subscription.internal;

import dev.semel.server.subscription.internal.rules.DecisionStep;
import dev.semel.server.subscription.internal.rules.SubscriptionTable;
import io.vertx.core.Future;
import java.util.Optional;

/** Where decisions are made: on one context, one after the other. */
interface DecisionContext {
  /** Looks at the state, and may change it through the step. */
  @FunctionalInterface
  interface Rule<T> {
    T decide(DecisionStep step, LoadedState state);
  }

  /**
   * Decides, and tells what came of it once it is kept. Fails with a {@link
   * dev.semel.StoreException} where that can't be known.
   */
  <T> Future<T> decide(Rule<T> rule);

  /** Empty: it is being loaded. */
  Optional<SubscriptionTable> table();
}
