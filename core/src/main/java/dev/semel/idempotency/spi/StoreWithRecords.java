package dev.semel.idempotency.spi;

/** A store whose records are asked for in another way. */
record StoreWithRecords(Store store, IdempotencyStore idempotency) implements ForwardingStore {}
