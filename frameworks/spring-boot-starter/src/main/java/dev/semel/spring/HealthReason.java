package dev.semel.spring;

import java.util.Locale;

/** Why the health is not simply up. The health details show the name and a sentence. */
public enum HealthReason {
  /** The store, or the database of outbox and inbox, is unreachable. */
  STORE_AWAY,
  /** A message has waited in the outbox for longer than {@code semel.health.max-outbox-age}. */
  OUTBOX_LATE,
  /** There are dead letters: messages or jobs that could not be delivered or handled. */
  DEAD_LETTERS,
  /** A key or message is in doubt: nobody can know whether it took effect. */
  IN_DOUBT,
  /** This process's relay can't reach the broker or database, or the broker refuses messages. */
  RELAY_TROUBLED,
  /** A consumer of this process can't reach the broker or database, or its handler fails. */
  CONSUMER_TROUBLED,
  /** More messages wait for a consumer of this process than {@code semel.health.max-lag}. */
  CONSUMER_LATE;

  /** The name as written in properties. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
