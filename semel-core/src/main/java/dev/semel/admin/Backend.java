package dev.semel.admin;

import dev.semel.idempotency.IdempotencyStore;
import dev.semel.idempotency.KeyCatalog;
import dev.semel.idempotency.StatisticsStore;

/** An opened engine with everything it offers. Closing it closes its connections. */
public interface Backend extends AutoCloseable {
  /** For people, such as {@code redis://db1:6379}; never with a password. */
  String describe();

  IdempotencyStore idempotency();

  KeyCatalog catalog();

  StatisticsStore statistics();

  @Override
  void close();
}
