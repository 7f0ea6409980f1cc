package dev.semel.redis.internal.jobs;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.redis.internal.RedisLink;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import io.lettuce.core.ScoredValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Walks the sorted sets of a queue one after another, from any place. A job that stays in its set
 * keeps its score, except for leases, which are extended: those are walked by name.
 */
final class JobWalk {
  private static final String DONE = "";
  private static final int CURSOR_PARTS = 4;

  private final RedisLink link;
  private final Operation queue;
  private final int shards;
  private final List<JobIndex> kinds;

  JobWalk(RedisLink link, Operation queue, int shards, List<JobIndex> kinds) {
    this.link = link;
    this.queue = queue;
    this.shards = shards;
    this.kinds = kinds;
  }

  /**
   * Some jobs of one set; may be empty.
   *
   * @param next where to continue; empty: the walk is complete
   */
  record Step(JobShard shard, JobIndex kind, List<byte[]> members, String next) {}

  /** After this job of this set; without a member: at its beginning. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Place(int set, long score, byte[] member) {
    String text() {
      return "j.%d.%d.%s"
          .formatted(set, score, Base64.getUrlEncoder().withoutPadding().encodeToString(member));
    }

    static Place parse(String cursor, int sets) {
      if (cursor.isEmpty()) {
        return new Place(0, 0, new byte[0]);
      }
      String[] parts = cursor.split("\\.", -1);
      try {
        if (parts.length == CURSOR_PARTS && parts[0].equals("j")) {
          Place place =
              new Place(
                  Integer.parseInt(parts[1]),
                  Long.parseLong(parts[2]),
                  Base64.getUrlDecoder().decode(parts[3]));
          if (place.set >= 0 && place.set < sets) {
            return place;
          }
        }
      } catch (IllegalArgumentException e) {
        throw notACursor();
      }
      throw notACursor();
    }

    private static InvalidInput notACursor() {
      return new InvalidInput("this is no cursor of this listing: begin without one");
    }
  }

  Step step(String cursor, int limit) {
    int sets = kinds.size() * shards;
    Place from = Place.parse(cursor, sets);
    JobIndex kind = kinds.get(from.set() / shards);
    JobShard shard = new JobShard(queue, from.set() % shards);
    List<ScoredValue<byte[]>> found =
        kind == JobIndex.LEASED
            ? byName(shard.index(kind), from, limit)
            : byScore(shard.index(kind), from, limit);
    String next;
    if (found.size() >= limit) {
      ScoredValue<byte[]> last = found.getLast();
      next = new Place(from.set(), (long) last.getScore(), last.getValue()).text();
    } else {
      next = from.set() + 1 < sets ? new Place(from.set() + 1, 0, new byte[0]).text() : DONE;
    }
    return new Step(shard, kind, found.stream().map(ScoredValue::getValue).toList(), next);
  }

  private List<ScoredValue<byte[]>> byScore(byte[] index, Place from, int limit) {
    List<ScoredValue<byte[]>> found = new ArrayList<>();
    if (from.member().length > 0) {
      Range<Long> same = Range.create(from.score(), from.score());
      for (ScoredValue<byte[]> each : link.get(c -> c.zrangebyscoreWithScores(index, same))) {
        if (found.size() < limit && Arrays.compareUnsigned(each.getValue(), from.member()) > 0) {
          found.add(each);
        }
      }
    }
    if (found.size() < limit) {
      Range<Long> later = Range.from(Boundary.excluding(from.score()), Boundary.unbounded());
      Limit rest = Limit.from(limit - found.size());
      found.addAll(link.get(c -> c.zrangebyscoreWithScores(index, later, rest)));
    }
    return found;
  }

  /** Reads all at once, because workers never have many jobs. */
  private List<ScoredValue<byte[]>> byName(byte[] index, Place from, int limit) {
    return link.get(c -> c.zrangeWithScores(index, 0, -1)).stream()
        .filter(each -> Arrays.compareUnsigned(each.getValue(), from.member()) > 0)
        .sorted((a, b) -> Arrays.compareUnsigned(a.getValue(), b.getValue()))
        .limit(limit)
        .toList();
  }
}
