package dev.semel.redis.internal.jobs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** How many jobs to take from a shard, in total and per priority. */
public record JobShare(JobShard shard, int all, int high, int normal, int low) {
  private static final int PRIORITIES = 3;

  /** The due jobs of a shard at one priority, and since when the first is due. */
  private record Waiting(int shard, int priority, long jobs, long since) {}

  /**
   * Divides a reservation among shards: by priority first, then by which job is due first.
   *
   * @param ready the answer of {@link JobScript#READY} for each shard
   */
  public static List<JobShare> of(List<JobShard> shards, List<List<Object>> ready, int max) {
    List<Waiting> waiting = new ArrayList<>();
    for (int shard = 0; shard < shards.size(); shard++) {
      for (int p = 0; p < PRIORITIES; p++) {
        long jobs = (Long) ready.get(shard).get(2 * p);
        if (jobs > 0) {
          waiting.add(new Waiting(shard, p, jobs, (Long) ready.get(shard).get(2 * p + 1)));
        }
      }
    }
    waiting.sort(Comparator.comparingInt(Waiting::priority).thenComparingLong(Waiting::since));
    int[][] shares = new int[shards.size()][PRIORITIES];
    int left = max;
    for (Waiting each : waiting) {
      int share = (int) Math.min(left, each.jobs());
      shares[each.shard()][each.priority()] = share;
      left -= share;
    }
    List<JobShare> asked = new ArrayList<>();
    for (int shard = 0; shard < shares.length; shard++) {
      int[] share = shares[shard];
      int jobs = Arrays.stream(share).sum();
      if (jobs > 0) {
        asked.add(new JobShare(shards.get(shard), jobs, share[0], share[1], share[2]));
      }
    }
    return asked;
  }
}
