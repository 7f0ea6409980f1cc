package dev.semel.tck;

final class MemoryEventStoreTest extends EventStoreContract {
  private final StoreUnderTest store = new MemoryUnderTest();

  @Override
  protected StoreUnderTest store() {
    return store;
  }
}
