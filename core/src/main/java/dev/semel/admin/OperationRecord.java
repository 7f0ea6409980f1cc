package dev.semel.admin;

import dev.semel.Operation;

/** One operation: what was asked of it, by all tenants together, and what is set for it. */
public record OperationRecord(
    Operation operation, long requests, long duplicates, StoreAdmin.VersionedSettings settings) {
  /** Duplicates among all requests, from 0 to 1; 0 when there were none. */
  public double hitRate() {
    return requests == 0 ? 0 : (double) duplicates / requests;
  }
}
