package dev.semel.jdbc.internal.store;

import java.util.List;

/**
 * The tables beside the records: counts per minute since the epoch, settings, and the event log
 * with its chains. Writers take turns by locking a row of {@code semel_turn}.
 *
 * @param number the type of a large number that may be a key
 * @param name the type of a name that may be part of a key
 * @param id the type of a key's id
 * @param text the type of any other text
 */
record ExtraTables(String number, String name, String id, String text) {
  private static final String TURNS =
      "INSERT INTO semel_turn (name, position)"
          + " VALUES ('events', 0), ('settings', 0), ('statistics', 0)";

  List<String> create() {
    return List.of(
        "CREATE TABLE semel_turn (" + turn() + ")",
        TURNS,
        "CREATE TABLE semel_minute (" + minute() + ")",
        "CREATE TABLE semel_settings (" + settings() + ")",
        "CREATE TABLE semel_event (" + event() + ")",
        "CREATE INDEX semel_event_key ON semel_event (tenant, operation, id, position)",
        "CREATE TABLE semel_chain (" + chain() + ")");
  }

  /** MariaDB commits after each DDL statement, so each must be idempotent. */
  List<String> createOnMariaDb() {
    return List.of(
        SqlSchema.mariaDb("semel_turn", turn()),
        TURNS + " ON DUPLICATE KEY UPDATE position = position",
        SqlSchema.mariaDb("semel_minute", minute()),
        SqlSchema.mariaDb("semel_settings", settings()),
        SqlSchema.mariaDb(
            "semel_event",
            event() + ",\n  INDEX semel_event_key (tenant, operation, id, position)"),
        SqlSchema.mariaDb("semel_chain", chain()));
  }

  private String turn() {
    return "name %s NOT NULL PRIMARY KEY, position bigint NOT NULL".formatted(name);
  }

  private String minute() {
    return """
    at_minute bigint NOT NULL,
      tenant %1$s NOT NULL,
      operation %1$s NOT NULL,
      counter %1$s NOT NULL,
      value bigint NOT NULL,
      PRIMARY KEY (at_minute, tenant, operation, counter)"""
        .formatted(name);
  }

  private String settings() {
    return """
    operation %s NOT NULL PRIMARY KEY,
      version bigint NOT NULL,
      text %s NOT NULL"""
        .formatted(name, text);
  }

  private String event() {
    return """
    position %1$s NOT NULL PRIMARY KEY,
      appended_millis bigint NOT NULL,
      writer %2$s NOT NULL,
      number bigint NOT NULL,
      at_millis bigint NOT NULL,
      kind %2$s NOT NULL,
      tenant %2$s,
      operation %2$s,
      details %4$s,
      id %3$s,
      more %4$s,
      salt %2$s,
      commitment %2$s NOT NULL,
      previous_hash %2$s NOT NULL,
      hash %2$s NOT NULL"""
        .formatted(number, name, id, text);
  }

  private String chain() {
    return """
    writer %1$s NOT NULL PRIMARY KEY,
      first_number bigint NOT NULL,
      before_hash %1$s NOT NULL,
      last_number bigint NOT NULL,
      last_hash %1$s NOT NULL"""
        .formatted(name);
  }
}
