package dev.semel.tck;

import org.junit.jupiter.api.Nested;

/**
 * Everything that {@link dev.semel.idempotency.spi.IdempotencyStore} promises. Extend it to test a
 * store, and provide {@link #store()}; the parts are separate classes only for readability.
 */
public abstract class IdempotencyStoreContract extends ContractWords {
  @Nested
  class Claiming extends ClaimContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class Racing extends RaceContract {
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

  @Nested
  class Repeating extends RepeatContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class Crashing extends CrashContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class TakingOver extends TakeoverContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class Recognising extends FingerprintContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class Replaying extends ReplayContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class Expiring extends RetentionContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class Naming extends KeyContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }

  @Nested
  class RandomHistories extends RandomHistoryContract {
    @Override
    protected StoreUnderTest store() {
      return IdempotencyStoreContract.this.store();
    }
  }
}
