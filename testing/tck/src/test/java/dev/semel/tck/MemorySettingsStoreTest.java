package dev.semel.tck;

final class MemorySettingsStoreTest extends SettingsStoreContract {
  private final StoreUnderTest store = new MemoryUnderTest();

  @Override
  protected StoreUnderTest store() {
    return store;
  }
}
