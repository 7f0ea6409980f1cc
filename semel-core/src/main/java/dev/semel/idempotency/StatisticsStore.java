package dev.semel.idempotency;

import dev.semel.Operation;
import dev.semel.Tenant;
import java.util.Map;

/** Keeps the counts that processes add up; see {@link Statistics} for why they come in deltas. */
public interface StatisticsStore {
  void add(Map<Scope, Counts> deltas);

  Map<Scope, Counts> read();

  void reset();

  /** What is counted apart. */
  record Scope(Tenant tenant, Operation operation) {}
}
