package dev.semel.server.subscription;

/** Access that a request to the subscriptions needs. */
public enum SubscriptionAccess {
  /** None: receivers must be able to read the public keys. */
  ANYONE,
  /** The token of a wake, which the subscriptions check. */
  WORKERS,
  /** The right to read, because a worker that claims also reads. */
  READERS,
  /** The admin right, because a subscription makes the server call others. */
  OWNERS
}
