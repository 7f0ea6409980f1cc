package dev.semel.spring;

import java.util.Locale;

/** Why the health is not simply up. Each is shown by its name, with a sentence. */
public enum HealthReason {
  /** The store, or the database of outbox and inbox, can't be asked. */
  STORE_AWAY,
  /** A message has waited in the outbox for too long. */
  OUTBOX_LATE,
  /** Messages or jobs were given up. */
  DEAD_LETTERS,
  /** Nobody knows whether something took effect. */
  IN_DOUBT,
  /** The relay of this process does not reach broker or database, or messages are refused. */
  RELAY_TROUBLED,
  /** A consumer of this process does not reach broker or database, or its handler fails. */
  CONSUMER_TROUBLED,
  /** More messages wait for a consumer of this process than should. */
  CONSUMER_LATE;

  /** As in properties. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
