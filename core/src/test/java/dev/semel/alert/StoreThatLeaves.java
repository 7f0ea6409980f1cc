package dev.semel.alert;

import dev.semel.StoreException;
import dev.semel.idempotency.DisturbedStore;
import dev.semel.idempotency.spi.Store;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** A store whose clock can't be asked while it is away; that alone shows. */
public final class StoreThatLeaves extends DisturbedStore {
  private final BooleanSupplier away;

  public StoreThatLeaves(Store inner, BooleanSupplier away) {
    super(inner);
    this.away = away;
  }

  @Override
  public Instant now() {
    if (away.getAsBoolean()) {
      throw new StoreException("away");
    }
    return super.now();
  }
}
