package dev.semel.tck;

final class MemoryKeyCatalogTest extends KeyCatalogContract {
  private final StoreUnderTest store = new MemoryUnderTest();

  @Override
  protected StoreUnderTest store() {
    return store;
  }
}
