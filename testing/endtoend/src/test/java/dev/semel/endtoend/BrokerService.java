package dev.semel.endtoend;

/** A broker that may be killed; what it confirmed is still there after that. */
interface BrokerService extends AutoCloseable {
  String address();

  /** As {@code kill -9} does, and back. */
  void crash();

  @Override
  void close();

  /**
   * A service of {@code dev.semel.testservices}.
   *
   * @param restart kills it first
   */
  static BrokerService of(String address, Runnable restart, Runnable close) {
    return new BrokerService() {
      @Override
      public String address() {
        return address;
      }

      @Override
      public void crash() {
        restart.run();
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
