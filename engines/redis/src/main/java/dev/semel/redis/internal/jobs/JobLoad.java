package dev.semel.redis.internal.jobs;

import dev.semel.job.EnqueueResult;
import dev.semel.job.Job;
import dev.semel.redis.internal.RedisLink.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs of one shard for one ENQUEUE script, and the places of their answers. */
public final class JobLoad {
  /** Limits for one script, because Redis serves nobody else meanwhile. */
  private static final int MAX_JOBS = 100;

  private static final int MAX_BYTES = 1 << 20;
  private static final long ADDED = 1;
  private static final long DUPLICATE = 2;

  private final JobShard shard;
  private final List<Job> jobs = new ArrayList<>();
  private final List<Integer> places = new ArrayList<>();
  private int bytes;

  private JobLoad(JobShard shard) {
    this.shard = shard;
  }

  /** Groups jobs by shard; jobs with one key keep their order. */
  public static List<JobLoad> of(List<Job> jobs, int shards) {
    Map<JobShard, JobLoad> open = new HashMap<>();
    List<JobLoad> loads = new ArrayList<>();
    for (int place = 0; place < jobs.size(); place++) {
      Job job = jobs.get(place);
      JobShard shard = JobShard.of(job.key(), shards);
      JobLoad load = open.get(shard);
      if (load == null || !load.hasRoom(job)) {
        load = new JobLoad(shard);
        open.put(shard, load);
        loads.add(load);
      }
      load.add(job, place);
    }
    return loads;
  }

  private boolean hasRoom(Job job) {
    return jobs.size() < MAX_JOBS && bytes + job.payload().length <= MAX_BYTES;
  }

  private void add(Job job, int place) {
    jobs.add(job);
    places.add(place);
    bytes += job.payload().length;
  }

  public Call call() {
    byte[][] arguments = new byte[jobs.size() * JobCodec.ENQUEUE_PARTS][];
    for (int i = 0; i < jobs.size(); i++) {
      Job job = jobs.get(i);
      JobCodec.put(job, JobShard.member(job.key()), arguments, i * JobCodec.ENQUEUE_PARTS);
    }
    return new Call(JobScript.ENQUEUE, shard.base(), arguments);
  }

  /** Puts the script's answers at their jobs' places. */
  public void place(List<Object> answer, EnqueueResult[] all) {
    long now = (Long) answer.getLast();
    int at = 0;
    for (int place : places) {
      long code = (Long) answer.get(at++);
      if (code == ADDED) {
        all[place] = new EnqueueResult.Added();
        continue;
      }
      EnqueueResult.Original original =
          JobCodec.original((byte[]) answer.get(at++), (byte[]) answer.get(at++), now);
      all[place] =
          code == DUPLICATE
              ? new EnqueueResult.Duplicate(original)
              : new EnqueueResult.Mismatch(original);
    }
  }
}
