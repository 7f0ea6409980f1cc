package dev.semel.spring;

import dev.semel.idempotency.spi.DecisionCounts;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.spring.internal.MessageStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code /actuator/semel}: counts, the store's contents, and the state of
 * outbox, inbox and consumers.
 */
@Endpoint(id = "semel")
public final class SemelEndpoint {
  private final Store store;
  private final Optional<MessageStatus> messages;

  SemelEndpoint(Store store, Optional<MessageStatus> messages) {
    this.store = store;
    this.messages = messages;
  }

  /** The store's figures cover all processes; relay and consumers are those of this process. */
  @ReadOperation
  public Map<String, Object> semel() {
    Map<String, Object> shown = new LinkedHashMap<>();
    KeyCatalog.Usage usage = store.catalog().usage();
    shown.put("store", store.describe());
    both(shown, "active_keys", "activeKeys", usage.activeKeys());
    both(shown, "storage_bytes", "storageBytes", usage.bytes());
    shown.put("hazards", store.hazards());
    counts(shown);
    messages.flatMap(MessageStatus::outbox).ifPresent(o -> shown.put("outbox", of(o.status())));
    messages.flatMap(MessageStatus::inbox).ifPresent(i -> shown.put("inbox", of(i.status())));
    messages.flatMap(MessageStatus::relay).ifPresent(relay -> shown.put("relay", of(relay)));
    messages.ifPresent(all -> shown.put("consumers", all.consumers()));
    return shown;
  }

  private void counts(Map<String, Object> shown) {
    Map<String, DecisionCounts> byOperation = new TreeMap<>();
    store
        .statistics()
        .read()
        .forEach(
            (scope, counts) ->
                byOperation.merge(scope.operation().name(), counts, DecisionCounts::plus));
    DecisionCounts total =
        byOperation.values().stream().reduce(DecisionCounts.ZERO, DecisionCounts::plus);
    both(shown, "hit_rate", "hitRate", total.hitRate());
    shown.put("counts", total.fields());
    Map<String, Object> operations = new LinkedHashMap<>();
    byOperation.forEach((name, counts) -> operations.put(name, counts.fields()));
    shown.put("operations", operations);
  }

  private static Map<String, Object> of(OutboxOperations.Status status) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("pending", status.pending());
    shown.put("failing", status.failing());
    shown.put("dead", status.dead());
    shown.put("kept", status.kept());
    shown.put("oldest", status.oldest().map(Duration::toString).orElse(""));
    shown.put(
        "relays",
        status.relays().stream()
            .map(
                relay -> {
                  Map<String, Object> each = new LinkedHashMap<>();
                  each.put("relay", relay.relay());
                  each.put("partitions", relay.partitions());
                  both(each, "per_second", "perSecond", relay.perSecond());
                  each.put("published", relay.counts().published());
                  both(each, "last_seen", "lastSeen", relay.lastSeen().toString());
                  return each;
                })
            .toList());
    return shown;
  }

  /** Adds both spellings: the older camel case stays for one version. */
  private static void both(Map<String, Object> shown, String name, String older, Object value) {
    shown.put(name, value);
    shown.put(older, value);
  }

  private static Map<String, Object> of(InboxOperations.Status status) {
    List<Map<String, Object>> consumers =
        status.consumers().stream()
            .map(
                each -> {
                  Map<String, Object> consumer = new LinkedHashMap<>();
                  consumer.put("consumer", each.consumer());
                  consumer.put("ids", each.ids());
                  both(consumer, "in_doubt", "inDoubt", each.inDoubt());
                  consumer.put("pending", each.pending());
                  consumer.put("dead", each.dead());
                  return consumer;
                })
            .toList();
    return Map.of("bytes", status.bytes(), "consumers", consumers);
  }

  private static Map<String, Object> of(Relay relay) {
    RelayCounts counts = relay.counts();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("published", counts.published());
    shown.put("duplicates", counts.duplicates());
    shown.put("failed", counts.failed());
    shown.put("dead", counts.dead());
    both(shown, "in_flight", "inFlight", counts.inFlight());
    return Map.of("id", relay.id(), "counts", shown);
  }
}
