package dev.semel.benchmarks.regions;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The outside world: counts how often each id took effect, in any region. */
final class Effects {
  private static final long WORK_MILLIS = 10;

  private final Map<String, Integer> times = new ConcurrentHashMap<>();

  /**
   * Called at the beginning of the work, because the worst case is a worker that dies right after
   * its effect.
   */
  String happen(String id) throws InterruptedException {
    times.merge(id, 1, Integer::sum);
    TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
    return "receipt";
  }

  int happened() {
    return times.size();
  }

  int twice() {
    return (int) times.values().stream().filter(each -> each > 1).count();
  }

  boolean happened(String id) {
    return times.containsKey(id);
  }
}
