package dev.semel.proof.fault;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store in this process whose calls can fail. */
public final class FaultyRecords implements IdempotencyStore {
  private static final Duration LATE = Duration.ofMillis(40);
  private static final Duration LOOK = Duration.ofMillis(2);

  private final IdempotencyStore records;
  private volatile @Nullable ProcessFault fault;

  public FaultyRecords(IdempotencyStore records) {
    this.records = records;
  }

  public void strike(ProcessFault next) {
    fault = next;
  }

  public void heal() {
    fault = null;
  }

  private <T> T call(Supplier<T> step) {
    ProcessFault now = fault;
    if (now == null) {
      return step.get();
    }
    return switch (now) {
      case DELAY -> {
        LockSupport.parkNanos(LATE.toNanos());
        T answer = step.get();
        LockSupport.parkNanos(LATE.toNanos());
        yield answer;
      }
      case LOST_ANSWERS -> {
        T unused = step.get();
        throw new StoreException("the answer was lost");
      }
      case STOP -> {
        while (fault == ProcessFault.STOP) {
          LockSupport.parkNanos(LOOK.toNanos());
        }
        yield step.get();
      }
      case CUT, SILENT, KILL -> throw new StoreException("the connection was cut");
    };
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    return call(() -> records.claim(request));
  }

  @Override
  public boolean renew(Key key, Token token, Duration lease) {
    return call(() -> records.renew(key, token, lease));
  }

  @Override
  public boolean complete(Key key, Token token, ExecutionEnd ending, Duration retention) {
    return call(() -> records.complete(key, token, ending, retention));
  }

  @Override
  public boolean release(Key key, Token token) {
    return call(() -> records.release(key, token));
  }

  @Override
  public Optional<StoredRecord> find(Key key) {
    return call(() -> records.find(key));
  }
}
