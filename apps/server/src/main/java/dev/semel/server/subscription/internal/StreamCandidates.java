package dev.semel.server.subscription.internal;

import dev.semel.server.subscription.internal.rules.SubscriptionConfig;
import dev.semel.server.subscription.internal.rules.SubscriptionReply;
import dev.semel.server.subscription.internal.rules.WakeDelivery;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamHead;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the streams that a subscription will follow. */
public final class StreamCandidates {
  private final StreamEngine engine;
  private final int max;

  /**
   * @param max limit of streams to find; one more shows that there are too many
   */
  public StreamCandidates(StreamEngine engine, int max) {
    this.engine = engine;
    this.max = max;
  }

  Future<Map<StreamPath, StreamHead>> of(SubscriptionConfig config) {
    return named(config.streams())
        .compose(
            found ->
                config.pattern().isEmpty()
                    ? Future.succeededFuture(found)
                    : matching(config, config.pattern().get().prefix(), "", found));
  }

  Future<Map<StreamPath, StreamHead>> named(List<StreamPath> paths) {
    return engine
        .heads(paths)
        .map(
            heads -> {
              Map<StreamPath, StreamHead> found = new LinkedHashMap<>();
              heads.forEach((path, head) -> head.ifPresent(h -> found.put(path, h)));
              return found;
            });
  }

  private Future<Map<StreamPath, StreamHead>> matching(
      SubscriptionConfig config, String prefix, String after, Map<StreamPath, StreamHead> found) {
    return engine
        .list(prefix, after, StreamObserver.PAGE)
        .compose(
            page -> {
              page.stream()
                  .filter(head -> config.matches(head.path()))
                  .takeWhile(head -> found.size() <= max)
                  .forEach(head -> found.put(head.path(), head));
              return page.size() < StreamObserver.PAGE || found.size() > max
                  ? Future.succeededFuture(found)
                  : matching(config, prefix, page.getLast().path().text(), found);
            });
  }

  /** Checks the wake stream; empty: nothing is wrong. */
  Future<Optional<SubscriptionReply>> wakeStream(SubscriptionConfig config) {
    if (!(config.delivery() instanceof WakeDelivery.PullWake p)) {
      return Future.succeededFuture(Optional.empty());
    }
    return named(List.of(p.stream()))
        .map(
            found -> {
              StreamHead head = found.get(p.stream());
              return head != null && head.config().type().json() && !head.closed()
                  ? Optional.empty()
                  : Optional.of(
                      SubscriptionReply.invalid(
                          "wake_stream must be a stream that is there, open, and holds JSON: create it first"));
            });
  }
}
