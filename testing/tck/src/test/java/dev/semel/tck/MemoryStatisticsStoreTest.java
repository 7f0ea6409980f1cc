package dev.semel.tck;

final class MemoryStatisticsStoreTest extends StatisticsStoreContract {
  private final StoreUnderTest store = new MemoryUnderTest();

  @Override
  protected StoreUnderTest store() {
    return store;
  }
}
