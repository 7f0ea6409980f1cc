package dev.semel.spring;

import dev.semel.StoreException;
import dev.semel.alert.AlertRule;
import dev.semel.idempotency.OnOutage;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.ConsumerCounts;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.spring.internal.MessageStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports <em>degraded</em>, with reasons, when an operator should look; down or out of service
 * only for reasons that make other instances a better choice. Most reasons are shared by all
 * instances, and would take all of them out of traffic at once.
 */
final class SemelHealthIndicator implements HealthIndicator {
  /** The instance works, but an operator should look. */
  static final Status DEGRADED = new Status("DEGRADED");

  private final Store store;
  private final Optional<MessageStatus> messages;
  private final HealthWatch watch;
  private final SemelProperties.HealthProperties properties;
  private final OnOutage onOutage;
  private final Set<HealthReason> outOfServiceOn;

  SemelHealthIndicator(
      Store store,
      Optional<MessageStatus> messages,
      HealthWatch watch,
      SemelProperties.HealthProperties properties,
      OnOutage onOutage) {
    this.store = store;
    this.messages = messages;
    this.watch = watch;
    this.properties = properties;
    this.onOutage = onOutage;
    this.outOfServiceOn = properties.outOfServiceOn(onOutage);
  }

  @Override
  public Health health() {
    Map<HealthReason, String> reasons = new EnumMap<>(HealthReason.class);
    Health.Builder health = Health.up().withDetail("store", store.describe());
    Optional<OutboxOperations.Status> outbox = Optional.empty();
    try {
      store.now();
      outbox = messages.flatMap(MessageStatus::outbox).map(OutboxOperations::status);
    } catch (StoreException e) {
      health.withException(e);
      reasons.put(HealthReason.STORE_AWAY, away());
    }
    outbox.ifPresent(status -> outbox(health, status, reasons));
    deadLetters(outbox).ifPresent(text -> reasons.put(HealthReason.DEAD_LETTERS, text));
    inDoubt().ifPresent(text -> reasons.put(HealthReason.IN_DOUBT, text));
    relay(outbox).ifPresent(text -> reasons.put(HealthReason.RELAY_TROUBLED, text));
    consumers(reasons);
    if (!reasons.isEmpty()) {
      Map<String, String> shown = new LinkedHashMap<>();
      reasons.forEach((reason, text) -> shown.put(reason.word(), text));
      health.withDetail("reasons", shown).status(status(reasons.keySet()));
    }
    return health.build();
  }

  private Status status(Set<HealthReason> reasons) {
    if (outOfServiceOn.contains(HealthReason.STORE_AWAY)
        && reasons.contains(HealthReason.STORE_AWAY)) {
      return Status.DOWN;
    }
    return reasons.stream().anyMatch(outOfServiceOn::contains) ? Status.OUT_OF_SERVICE : DEGRADED;
  }

  private String away() {
    String meanwhile =
        switch (onOutage) {
          case FAIL_CLOSED -> "nothing is executed meanwhile";
          case WARN_AND_CONTINUE -> "what is executed meanwhile runs unguarded";
        };
    return "the store can't be asked; " + meanwhile + ": " + AlertRule.STORE_AWAY.runbook();
  }

  private void outbox(
      Health.Builder health, OutboxOperations.Status status, Map<HealthReason, String> reasons) {
    Duration oldest = status.oldest().orElse(Duration.ZERO);
    health
        .withDetail("outbox_pending", status.pending())
        .withDetail("outbox_dead", status.dead())
        .withDetail("outbox_oldest", oldest.toString())
        // The older spelling stays for one version.
        .withDetail("outboxPending", status.pending())
        .withDetail("outboxDead", status.dead())
        .withDetail("outboxOldest", oldest.toString());
    if (oldest.compareTo(properties.maxOutboxAge()) > 0) {
      reasons.put(
          HealthReason.OUTBOX_LATE,
          "a message has waited for longer than semel.health.max-outbox-age (%s), see that a relay runs and that the broker takes messages: %s"
              .formatted(properties.maxOutboxAge(), AlertRule.OUTBOX_LAG.runbook()));
    }
  }

  private Optional<String> deadLetters(Optional<OutboxOperations.Status> outbox) {
    List<String> all = new ArrayList<>();
    long inOutbox = outbox.map(OutboxOperations.Status::dead).orElse(0L);
    if (inOutbox > 0) {
      all.add("in the outbox: " + inOutbox);
    }
    watch
        .deadLetters()
        .forEach((who, met) -> all.add(counted(who + " gave up " + met.count(), met.ago())));
    return sentence(all, AlertRule.DEAD_LETTERS);
  }

  private Optional<String> inDoubt() {
    List<String> all = new ArrayList<>();
    watch
        .inDoubt()
        .forEach((operation, met) -> all.add(counted(operation + ": " + met.count(), met.ago())));
    return sentence(all, AlertRule.IN_DOUBT);
  }

  private static String counted(String what, Duration ago) {
    return "%s, the last %s ago".formatted(what, Duration.ofSeconds(ago.toSeconds()));
  }

  private static Optional<String> sentence(List<String> parts, AlertRule rule) {
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join("; ", parts) + ": " + rule.runbook());
  }

  private Optional<String> relay(Optional<OutboxOperations.Status> outbox) {
    List<String> all = new ArrayList<>();
    watch.relayTrouble().ifPresent(all::add);
    long failing = outbox.map(OutboxOperations.Status::failing).orElse(0L);
    if (failing > 0) {
      all.add("messages that were refused and are tried again: " + failing);
    }
    return sentence(all, AlertRule.OUTBOX_LAG);
  }

  private void consumers(Map<HealthReason, String> reasons) {
    List<String> troubled = new ArrayList<>();
    watch.consumerTroubles().forEach((name, what) -> troubled.add(name + ": " + what));
    if (!troubled.isEmpty()) {
      reasons.put(HealthReason.CONSUMER_TROUBLED, String.join("; ", troubled));
    }
    List<String> late = new ArrayList<>();
    Map<String, ConsumerCounts> running = messages.map(MessageStatus::consumers).orElse(Map.of());
    running.forEach(
        (name, counts) -> {
          if (counts.lag() > properties.maxLag()) {
            late.add(name + ": " + counts.lag());
          }
        });
    if (!late.isEmpty()) {
      reasons.put(
          HealthReason.CONSUMER_LATE,
          "more messages wait than semel.health.max-lag (%d) allows, %s"
              .formatted(properties.maxLag(), String.join("; ", late)));
    }
  }
}
