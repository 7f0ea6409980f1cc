package dev.semel.admin;

import dev.semel.Operation;

/** The usage of one operation: its requests and duplicates over all tenants, and its settings. */
public record OperationRecord(
    Operation operation, long requests, long duplicates, StoreAdmin.VersionedSettings settings) {
  /** Duplicates among all requests, from 0 to 1; 0 when there were none. */
  public double hitRate() {
    return requests == 0 ? 0 : (double) duplicates / requests;
  }
}
