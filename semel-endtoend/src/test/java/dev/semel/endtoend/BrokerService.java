package dev.semel.endtoend;

/** A broker that may be killed; what it confirmed is still there after that. */
interface BrokerService extends AutoCloseable {
  String address();

  /** As {@code kill -9} does, and back. */
  void crash();

  @Override
  void close();
}
