package dev.semel.cli.run;

import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ForwardingRecords;
import dev.semel.idempotency.spi.ForwardingStore;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.Store;
import java.time.Duration;

/**
 * A store that allows a takeover of a key only after the claim's command has ended on this host;
 * until then the key counts as in flight. Does not close the store.
 */
record TakeoverCheck(Store store) implements ForwardingStore {
  @Override
  public IdempotencyStore idempotency() {
    return new Records(store.idempotency());
  }

  @Override
  public void close() {}

  private record Records(IdempotencyStore records) implements ForwardingRecords {
    @Override
    public ClaimResult claim(ClaimRequest request) {
      if (request.takeover() != TakeoverPolicy.RUN_AGAIN) {
        return records.claim(request);
      }
      ClaimResult first = records.claim(with(request, TakeoverPolicy.IN_DOUBT));
      if (!(first instanceof ClaimResult.InDoubt doubt)) {
        return first;
      }
      return RunningProcess.living(doubt.original().requestId()).isPresent()
          ? new ClaimResult.InFlight(Duration.ZERO, doubt.original())
          : records.claim(request);
    }

    private static ClaimRequest with(ClaimRequest request, TakeoverPolicy takeover) {
      return new ClaimRequest(
          request.key(),
          request.token(),
          request.fingerprint(),
          request.lease(),
          request.retention(),
          takeover,
          request.requestId());
    }
  }
}
