package dev.semel.tck;

final class MemoryIdempotencyStoreTest extends IdempotencyStoreContract {
  private final StoreUnderTest store = new MemoryUnderTest();

  @Override
  protected StoreUnderTest store() {
    return store;
  }
}
