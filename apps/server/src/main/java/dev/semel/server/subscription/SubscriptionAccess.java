package dev.semel.server.subscription;

/** Who may make a request to the subscriptions. */
public enum SubscriptionAccess {
  /** The public keys, which receivers must be able to read. */
  ANYONE,
  /** Whoever bears the token of a wake, which is checked here. */
  WORKERS,
  /** Whoever may read: a worker that claims reads. */
  READERS,
  /** Whoever subscribes has the server call others. */
  OWNERS
}
