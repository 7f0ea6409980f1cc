package dev.semel.server.subscription.internal;

import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.server.subscription.SubscriptionLimits;
import dev.semel.server.subscription.internal.http.WebhookClient;
import dev.semel.server.subscription.internal.rules.SigningKey;
import dev.semel.server.subscription.internal.rules.Subscription;
import dev.semel.server.subscription.internal.rules.SubscriptionViews;
import dev.semel.server.subscription.internal.rules.WakeCall;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
import dev.semel.stream.ContentType;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Delivers wakes: to receivers by webhook, to workers by an event on their wake stream. */
final class WakeCaller {
  /** Gets the results of calls. */
  interface Listener {
    /** The current state; empty: unknown. */
    Optional<LoadedState> state();

    /** A receiver is about to be called. */
    void started(WakeCall call);

    void answered(WakeCall call, boolean done);

    void announced(WakeCall call);

    void failed(WakeCall call, Throwable failure);
  }

  private final WebhookClient webhooks;
  private final StreamEngine engine;
  private final SubscriptionLimits limits;

  /** Calls that wait for their turn, the last one of each subscription. */
  private final Map<String, WakeCall> queue = new LinkedHashMap<>();

  private int underWay;

  WakeCaller(WebhookClient webhooks, StreamEngine engine, SubscriptionLimits limits) {
    this.webhooks = webhooks;
    this.engine = engine;
    this.limits = limits;
  }

  /** Calls, unless the wake is over. */
  void call(WakeCall call, LoadedState state, Listener listener) {
    Subscription s = state.table().get(call.id());
    if (s == null || !s.inFlight(call.generation())) {
      return;
    }
    switch (s.config().delivery()) {
      case WakeDelivery.PullWake p -> announce(call, s, p.stream(), listener);
      case WakeDelivery.Webhook w -> {
        queue.put(call.id(), call);
        if (queue.size() > limits.subscriptions()) {
          queue.keySet().removeIf(id -> state.table().get(id) == null);
        }
        next(state, listener);
      }
    }
  }

  /** Drops waiting calls; they are made again after the next load. */
  void forget() {
    queue.clear();
  }

  /** Uses the generation as the producer's epoch, so that no event is written twice. */
  private void announce(WakeCall call, Subscription s, StreamPath stream, Listener listener) {
    byte[] event =
        Json.write(SubscriptionViews.event(s, s.wake().orElseThrow()))
            .getBytes(StandardCharsets.UTF_8);
    AppendRequest append =
        AppendRequest.of(ContentType.JSON, event)
            .by(new ProducerTuple("subscription:" + s.id(), call.generation(), 0));
    engine
        .append(stream, append)
        .compose(
            answer ->
                answer instanceof StreamResult.Appended || answer instanceof StreamResult.Duplicate
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new StoreException(
                            "the wake stream refused the event: "
                                + answer.getClass().getSimpleName())))
        .onComplete(done -> listener.announced(call), failure -> listener.failed(call, failure));
  }

  private void next(LoadedState state, Listener listener) {
    while (underWay < limits.deliveries() && !queue.isEmpty()) {
      WakeCall call = queue.values().iterator().next();
      queue.remove(call.id());
      Subscription s = state.table().get(call.id());
      if (s != null
          && s.inFlight(call.generation())
          && s.config().delivery() instanceof WakeDelivery.Webhook to) {
        post(call, state, s, to.url(), listener);
      }
    }
  }

  private void post(
      WakeCall call, LoadedState state, Subscription s, String url, Listener listener) {
    underWay++;
    listener.started(call);
    byte[] body =
        Json.write(state.views().wake(s, s.wake().orElseThrow())).getBytes(StandardCharsets.UTF_8);
    SigningKey key = state.table().keys().active();
    Duration lease = s.config().lease();
    Duration timeout =
        lease.compareTo(limits.deliveryTimeout()) < 0 ? lease : limits.deliveryTimeout();
    webhooks
        .post(url, body, key, timeout)
        .onComplete(
            done -> {
              underWay--;
              if (done.succeeded()) {
                listener.answered(call, done.result());
              } else {
                listener.failed(call, done.cause());
              }
              listener.state().ifPresent(now -> next(now, listener));
            });
  }
}
