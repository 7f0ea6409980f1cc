package dev.semel.redis;

import dev.semel.Key;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.StoredRecord;
import dev.semel.proof.fault.EffectLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the acknowledgements to workers with the store's contents.
 *
 * @param lostClaims acknowledgement times of lost grants: the key was granted again as new, and its
 *     effect repeated
 * @param lostCompletions acknowledgement times of completions that are not in the store any more,
 *     or were not at a takeover
 * @param refused completions that were refused although no worker got a takeover
 */
record ClusterAccount(
    int grants, int completions, List<Long> lostClaims, List<Long> lostCompletions, int refused) {

  private record Told(String what, long at) {}

  static ClusterAccount of(EffectLog log, IdempotencyStore store) {
    Map<Key, List<Told>> byKey = new LinkedHashMap<>();
    for (EffectLog.Line line : log.read()) {
      String[] what = line.what().split("@", -1);
      byKey
          .computeIfAbsent(line.key(), k -> new ArrayList<>())
          .add(new Told(what[0], Long.parseLong(what[1])));
    }
    List<Long> lostClaims = new ArrayList<>();
    List<Long> lostCompletions = new ArrayList<>();
    byKey.forEach(
        (key, told) -> {
          List<Told> grants = all(told, "granted");
          List<Told> completions = all(told, "completed");
          grants.subList(0, grants.size() - 1).forEach(grant -> lostClaims.add(grant.at()));
          boolean kept =
              store.find(key).map(StoredRecord::state).orElse(RecordState.RELEASED)
                  == RecordState.COMPLETED;
          int lost = kept ? completions.size() - 1 : completions.size();
          completions.subList(0, Math.max(0, lost)).forEach(c -> lostCompletions.add(c.at()));
        });
    List<Told> all = byKey.values().stream().flatMap(List::stream).toList();
    return new ClusterAccount(
        all(all, "granted").size() + all(all, "takeover").size(),
        all(all, "completed").size(),
        lostClaims,
        lostCompletions,
        all(all, "refused").size());
  }

  private static List<Told> all(List<Told> told, String what) {
    return told.stream().filter(t -> t.what().equals(what)).toList();
  }

  List<Long> lost() {
    List<Long> all = new ArrayList<>(lostClaims);
    all.addAll(lostCompletions);
    return all;
  }

  /** A one-line summary. */
  String summary(String title, long crashAt) {
    String when =
        lost().isEmpty()
            ? ""
            : ", acknowledged between %d and %d ms before the crash"
                .formatted(
                    crashAt - lost().stream().mapToLong(t -> t).min().orElseThrow(),
                    crashAt - lost().stream().mapToLong(t -> t).max().orElseThrow());
    return "redis cluster summary: %s: %d grants and %d completions acknowledged; lost %d claims and %d completions%s; %d completions refused"
        .formatted(
            title, grants, completions, lostClaims.size(), lostCompletions.size(), when, refused);
  }
}
