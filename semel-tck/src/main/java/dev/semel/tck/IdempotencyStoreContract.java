package dev.semel.tck;

import org.junit.jupiter.api.Nested;

/**
 * Everything that {@link dev.semel.idempotency.IdempotencyStore} promises. A store's test extends
 * this and gives {@link #store()}; the parts are classes of their own only to stay readable.
 */
public abstract class IdempotencyStoreContract extends Contract {
  @Nested
  class Claiming extends ClaimContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class Fencing extends FencingContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }
}
