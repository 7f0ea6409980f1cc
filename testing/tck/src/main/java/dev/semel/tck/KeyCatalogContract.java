package dev.semel.tck;

import org.junit.jupiter.api.Nested;

/**
 * Everything that {@link dev.semel.idempotency.spi.KeyCatalog} promises. Extend it to test a store,
 * and provide {@link #store()}.
 */
public abstract class KeyCatalogContract extends ContractWords {
  @Nested
  class Listing extends ListContract {
    @Override
    protected StoreUnderTest store() {
      return KeyCatalogContract.this.store();
    }
  }

  @Nested
  class Operating extends OperatorContract {
    @Override
    protected StoreUnderTest store() {
      return KeyCatalogContract.this.store();
    }
  }

  @Nested
  class Adopting extends AdoptionContract {
    @Override
    protected StoreUnderTest store() {
      return KeyCatalogContract.this.store();
    }
  }

  @Nested
  class Housekeeping extends HousekeepingContract {
    @Override
    protected StoreUnderTest store() {
      return KeyCatalogContract.this.store();
    }
  }
}
