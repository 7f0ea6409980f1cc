package dev.semel.idempotency.spi;

/** A store with other records in front of its own. */
record StoreWithRecords(Store store, IdempotencyStore idempotency) implements ForwardingStore {}
