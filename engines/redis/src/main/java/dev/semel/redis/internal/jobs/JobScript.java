package dev.semel.redis.internal.jobs;

import dev.semel.redis.internal.LuaScript;
import io.lettuce.core.ScriptOutputType;

/**
 * The steps of jobs. All names that a step uses begin with its one key, {@link JobShard#base()},
 * which holds the hash tag, so that they share a slot. Each job's record is a hash:
 *
 * <ul>
 *   <li>{@code s}, the changing part, positions from 1 as in Lua: state 1, token 2–17, attempts
 *       18–21, lost 22–25, due 26–32, started 33–39, ended 40–46
 *   <li>{@code i}, the constant part: priority 1, enqueued 2–8, retention in ms 9–14, length of the
 *       payload 15–18, id from 19
 *   <li>optional: {@code f} fingerprint, {@code w} delay, {@code m} headers, {@code b} payload,
 *       {@code e} error
 * </ul>
 *
 * <p>Beside the records are sorted sets: {@code :0} to {@code :2} waiting jobs by priority, scored
 * by when they are due; {@code :l} jobs with a worker, scored by the lease's end; {@code :c},
 * {@code :f} and {@code :d} completed, failed and in-doubt jobs, scored by the record's end. Times
 * are in microseconds on Redis's clock; doubles hold them exactly. State codes: 80 is P, pending;
 * 87 W, with a worker; 67 C, completed; 70 F, failed for good; 71 G, gave up; 68 D, in doubt.
 *
 * <p>Every worker's step compares its token. It answers 1 when its change is made, now or earlier,
 * and 0 when the worker no longer has the job; then nothing changes. An earlier change is written
 * again unchanged, because WAIT covers only writes.
 */
public enum JobScript implements LuaScript {
  /**
   * ARGV of each job: member, priority with retention, length and id, fingerprint, delay, headers,
   * payload. Answers for each job 1 for added, or 2 for a duplicate or 3 for another job, followed
   * by the existing s and i; at the end the time.
   *
   * <p>The decision is that of {@code ExistingJob}; it is repeated here because the caller's own
   * job is written again.
   *
   * <p>All jobs of a call arrive in the same microsecond, so each is due one microsecond after the
   * previous one. Those times have passed when the script ends.
   */
  ENQUEUE(
      ScriptOutputType.MULTI,
      Shared.NOW
          + """
      local answers, after = {}, 0
      for n = 1, #ARGV, 6 do
        local member, info = ARGV[n], ARGV[n + 1]
        local name = KEYS[1] .. '/' .. member
        local there = redis.call('HMGET', name, 's', 'i', 'f')
        local s, i = there[1], there[2]
        if s and string.byte(s) ~= 71 then
          local first, other = there[3] or '', ARGV[n + 2]
          local same = first == '' or other == '' or first == other
          if same and string.sub(i, 19) == string.sub(info, 12) then
            redis.call('HSET', name, 's', s)
            answers[#answers + 1] = 1
          else
            answers[#answers + 1] = same and 2 or 3
            answers[#answers + 1] = s
            answers[#answers + 1] = i
          end
        else
          if s then
            redis.call('DEL', name)
            redis.call('ZREM', KEYS[1] .. ':f', member)
          end
          local delay = ARGV[n + 3]
          local due = now + after + (delay == '' and 0 or struct.unpack('>I7', delay))
          after = after + 1
          local fields = {'s', 'P' .. none .. struct.pack('>I4I4I7I7I7', 0, 0, due, 0, 0),
            'i', string.sub(info, 1, 1) .. struct.pack('>I7', now) .. string.sub(info, 2)}
          if ARGV[n + 2] ~= '' then fields[5], fields[6] = 'f', ARGV[n + 2] end
          if delay ~= '' then fields[#fields + 1], fields[#fields + 2] = 'w', delay end
          if ARGV[n + 4] ~= '' then fields[#fields + 1], fields[#fields + 2] = 'm', ARGV[n + 4] end
          if ARGV[n + 5] ~= '' then fields[#fields + 1], fields[#fields + 2] = 'b', ARGV[n + 5] end
          redis.call('HSET', name, unpack(fields))
          redis.call('ZADD', KEYS[1] .. ':' .. string.sub(info, 1, 1), due, member)
          answers[#answers + 1] = 1
        end
      end
      answers[#answers + 1] = now
      return answers
      """),

  /**
   * Answers for each priority the number of due jobs, and when the first one was or will be due.
   */
  READY(
      ScriptOutputType.MULTI,
      Shared.NOW
          + """
      local answers = {}
      for p = 0, 2 do
        local index = KEYS[1] .. ':' .. p
        local first = redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')
        local due = first[2] and tonumber(first[2]) or 0
        answers[#answers + 1] = due > 0 and due <= now and redis.call('ZCOUNT', index, '-inf', now)
          or 0
        answers[#answers + 1] = due
      end
      return answers
      """),

  /**
   * ARGV: token, lease, how many, how many of each priority, how many bytes. The token's last two
   * bytes count up, so that each job has a different one. Answers member, s, i, f, w, m, b of each
   * job.
   */
  RESERVE(
      ScriptOutputType.MULTI,
      Shared.NOW
          + """
      local left, bytes = tonumber(ARGV[3]), tonumber(ARGV[7])
      local token, taken, leases = string.sub(ARGV[1], 1, 14), {}, {}
      for p = 0, 2 do
        local most = math.min(left, tonumber(ARGV[4 + p]))
        if most > 0 and bytes > 0 then
          local index, gone = KEYS[1] .. ':' .. p, {}
          local due = redis.call('ZRANGEBYSCORE', index, '-inf', now, 'LIMIT', 0, most)
          for _, member in ipairs(due) do
            if bytes <= 0 then break end
            gone[#gone + 1] = member
            local name = KEYS[1] .. '/' .. member
            local r = redis.call('HMGET', name, 's', 'i', 'f', 'w', 'm', 'b')
            local s = r[1]
            if s and string.byte(s) == 80 then
              s = 'W' .. token .. struct.pack('>I2I4', #leases / 2, struct.unpack('>I4', s, 18) + 1)
                .. string.sub(s, 22, 32) .. struct.pack('>I7', now) .. string.sub(s, 40)
              redis.call('HSET', name, 's', s)
              leases[#leases + 1] = now + ARGV[2]
              leases[#leases + 1] = member
              taken[#taken + 1] = member
              taken[#taken + 1] = s
              for at = 2, 6 do taken[#taken + 1] = r[at] or '' end
              bytes = bytes - #(r[5] or '') - #(r[6] or '')
              left = left - 1
            end
          end
          if #gone > 0 then redis.call('ZREM', index, unpack(gone)) end
        end
      end
      if #leases > 0 then redis.call('ZADD', KEYS[1] .. ':l', unpack(leases)) end
      return taken
      """),

  /** ARGV: lease, then member and token of each job. Answers for each 1, or 0 when it was lost. */
  EXTEND(
      ScriptOutputType.MULTI,
      Shared.NOW
          + """
      local answers = {}
      for n = 2, #ARGV, 2 do
        local s = redis.call('HGET', KEYS[1] .. '/' .. ARGV[n], 's')
        local held = s and string.byte(s) == 87 and string.sub(s, 2, 17) == ARGV[n + 1]
        if held then redis.call('ZADD', KEYS[1] .. ':l', now + ARGV[1], ARGV[n]) end
        answers[#answers + 1] = held and 1 or 0
      end
      return answers
      """),

  /**
   * ARGV: member, token, retention in ms. Fields that nobody needs any more are dropped at once.
   */
  COMPLETE(
      ScriptOutputType.INTEGER,
      Shared.NOW
          + Shared.HELD
          + """
      redis.call('HSET', name, 's', 'C' .. string.sub(s, 2, 39) .. struct.pack('>I7', now))
      redis.call('HDEL', name, 'b', 'm', 'w', 'e')
      redis.call('PEXPIRE', name, ARGV[3])
      redis.call('ZADD', KEYS[1] .. ':c', (math.floor(now / 1000) + ARGV[3] + 1) * 1000, ARGV[1])
      return 1
      """),

  /** ARGV: member, token, retention in ms, state code, index, error. */
  BURY(
      ScriptOutputType.INTEGER,
      Shared.NOW
          + Shared.HELD
          + """
      redis.call('HSET', name, 's', ARGV[4] .. string.sub(s, 2, 39) .. struct.pack('>I7', now),
        'e', ARGV[6])
      redis.call('PEXPIRE', name, ARGV[3])
      redis.call('ZADD', KEYS[1] .. ARGV[5], (math.floor(now / 1000) + ARGV[3] + 1) * 1000, ARGV[1])
      return 1
      """),

  /**
   * ARGV: member, token, priority, pause, and only if this attempt counts its error. The token
   * stays until a worker takes the job, so that this step can be repeated.
   */
  AGAIN(
      ScriptOutputType.INTEGER,
      Shared.NOW
          + Shared.HELD
          + """
      local attempts, due = struct.unpack('>I4', s, 18), now + ARGV[4]
      if ARGV[5] then redis.call('HSET', name, 'e', ARGV[5]) else attempts = attempts - 1 end
      redis.call('HSET', name, 's', 'P' .. ARGV[2] .. struct.pack('>I4', attempts)
        .. string.sub(s, 22, 25) .. struct.pack('>I7', due) .. string.sub(s, 33))
      redis.call('ZADD', KEYS[1] .. ':' .. ARGV[3], due, ARGV[1])
      return 1
      """),

  /**
   * ARGV: the limit, for jobs with an ended lease and for each kind of expired records. Answers the
   * members of jobs with an ended lease.
   */
  REAP(
      ScriptOutputType.MULTI,
      Shared.NOW
          + """
      local lost = redis.call('ZRANGEBYSCORE', KEYS[1] .. ':l', '-inf', now, 'LIMIT', 0, ARGV[1])
      for n, member in ipairs(lost) do
        local name = KEYS[1] .. '/' .. member
        local r = redis.call('HMGET', name, 's', 'i')
        local s, due = r[1], now + n - 1
        if s and string.byte(s) == 87 then
          redis.call('HSET', name, 's', 'P' .. none .. string.sub(s, 18, 21)
            .. struct.pack('>I4I7', struct.unpack('>I4', s, 22) + 1, due) .. string.sub(s, 33))
          redis.call('ZADD', KEYS[1] .. ':' .. string.sub(r[2], 1, 1), due, member)
        end
      end
      if #lost > 0 then redis.call('ZREM', KEYS[1] .. ':l', unpack(lost)) end
      for _, kind in ipairs({':c', ':f', ':d'}) do
        local over = redis.call('ZRANGEBYSCORE', KEYS[1] .. kind, '-inf', now, 'LIMIT', 0, ARGV[1])
        if #over > 0 then redis.call('ZREM', KEYS[1] .. kind, unpack(over)) end
      end
      return lost
      """),

  /** Answers pending, delayed, processing, completed, failed, in doubt, and the longest wait. */
  COUNT(
      ScriptOutputType.MULTI,
      Shared.NOW
          + """
      local pending, delayed, oldest = 0, 0, now + 1
      for p = 0, 2 do
        local index = KEYS[1] .. ':' .. p
        local all = redis.call('ZCARD', index)
        if all > 0 then
          pending = pending + all
          delayed = delayed + all - redis.call('ZCOUNT', index, '-inf', now)
          oldest = math.min(oldest, tonumber(redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')[2]))
        end
      end
      local answers = {pending, delayed, redis.call('ZCARD', KEYS[1] .. ':l')}
      local later = '(' .. string.format('%.0f', now)
      for _, kind in ipairs({':c', ':f', ':d'}) do
        answers[#answers + 1] = redis.call('ZCOUNT', KEYS[1] .. kind, later, '+inf')
      end
      answers[#answers + 1] = now - oldest
      return answers
      """),

  /** ARGV: members. Answers member, s, i, e of each that has a record. */
  READ(
      ScriptOutputType.MULTI,
      """
      local found = {}
      for _, member in ipairs(ARGV) do
        local r = redis.call('HMGET', KEYS[1] .. '/' .. member, 's', 'i', 'e')
        if r[1] then
          found[#found + 1] = member
          found[#found + 1] = r[1]
          found[#found + 1] = r[2]
          found[#found + 1] = r[3] or ''
        end
      end
      return found
      """),

  /** ARGV: a member. Answers as RESERVE, or nothing if it has no record. */
  WHOLE(
      ScriptOutputType.MULTI,
      """
      local r = redis.call('HMGET', KEYS[1] .. '/' .. ARGV[1], 's', 'i', 'f', 'w', 'm', 'b')
      if not r[1] then return {} end
      local whole = {ARGV[1]}
      for at = 1, 6 do whole[at + 1] = r[at] or '' end
      return whole
      """),

  /** ARGV: how many, how many bytes. Answers as RESERVE. */
  PEEK(
      ScriptOutputType.MULTI,
      """
      local left, bytes, seen = tonumber(ARGV[1]), tonumber(ARGV[2]), {}
      for p = 0, 2 do
        if left > 0 then
          for _, member in ipairs(redis.call('ZRANGE', KEYS[1] .. ':' .. p, 0, left - 1)) do
            local r = redis.call('HMGET', KEYS[1] .. '/' .. member, 's', 'i', 'f', 'w', 'm', 'b')
            if r[1] and bytes > 0 then
              seen[#seen + 1] = member
              for at = 1, 6 do seen[#seen + 1] = r[at] or '' end
              bytes = bytes - #(r[5] or '') - #(r[6] or '')
              left = left - 1
            end
          end
        end
      end
      return seen
      """),

  /**
   * ARGV: codes of the selected states, members. Makes dead jobs wait again, as new. Answers the
   * members of those jobs.
   */
  REQUEUE(
      ScriptOutputType.MULTI,
      Shared.NOW
          + """
      local went = {}
      for n = 2, #ARGV do
        local member = ARGV[n]
        local name = KEYS[1] .. '/' .. member
        local r = redis.call('HMGET', name, 's', 'i')
        if r[1] and string.find(ARGV[1], string.sub(r[1], 1, 1), 1, true) then
          local priority, due = string.sub(r[2], 1, 1), now + n - 2
          redis.call('PERSIST', name)
          redis.call('HDEL', name, 'w', 'e')
          redis.call('HSET', name,
            's', 'P' .. none .. struct.pack('>I4I4I7I7I7', 0, 0, due, 0, 0),
            'i', priority .. struct.pack('>I7', now) .. string.sub(r[2], 9))
          redis.call('ZREM', KEYS[1] .. ':f', member)
          redis.call('ZREM', KEYS[1] .. ':d', member)
          redis.call('ZADD', KEYS[1] .. ':' .. priority, due, member)
          went[#went + 1] = member
        end
      end
      return went
      """),

  /** ARGV: codes of the selected states, members. Answers how many were deleted. */
  PURGE(
      ScriptOutputType.INTEGER,
      """
      local gone = 0
      for n = 2, #ARGV do
        local member = ARGV[n]
        local name = KEYS[1] .. '/' .. member
        local s = redis.call('HGET', name, 's')
        if s and string.find(ARGV[1], string.sub(s, 1, 1), 1, true) then
          redis.call('UNLINK', name)
          for _, kind in ipairs({':0', ':1', ':2', ':c', ':f', ':d'}) do
            redis.call('ZREM', KEYS[1] .. kind, member)
          end
          gone = gone + 1
        end
      end
      return gone
      """),

  /** ARGV: the number of shards for the first use. Answers the actual number. */
  SHARDS(
      ScriptOutputType.INTEGER,
      """
      if redis.call('SET', KEYS[1], ARGV[1], 'NX') then return tonumber(ARGV[1]) end
      return tonumber(redis.call('GET', KEYS[1])) or 0
      """),

  /** ARGV: queue, limit of queues. Stores when it was last used; answers 0 at the limit. */
  REGISTER(
      ScriptOutputType.INTEGER,
      """
      if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2])
          and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
        return 0
      end
      redis.call('ZADD', KEYS[1], redis.call('TIME')[1], ARGV[1])
      return 1
      """),

  /** ARGV: seconds, queues. Removes queues that were not used for this long. */
  UNREGISTER(
      ScriptOutputType.INTEGER,
      """
      local before = redis.call('TIME')[1] - ARGV[1]
      for n = 2, #ARGV do
        local used = redis.call('ZSCORE', KEYS[1], ARGV[n])
        if used and tonumber(used) < before then redis.call('ZREM', KEYS[1], ARGV[n]) end
      end
      return 1
      """);

  /**
   * Parts of several scripts, in a class because an enum's constants can't use its static fields.
   */
  private static final class Shared {
    /** The time, and the token that no worker has. */
    static final String NOW =
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        local none = '\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0'
        """;

    /**
     * Ends the script unless the worker has the job, and removes it from the jobs with a worker.
     */
    static final String HELD =
        """
        local name = KEYS[1] .. '/' .. ARGV[1]
        local s = redis.call('HGET', name, 's')
        if not s or string.sub(s, 2, 17) ~= ARGV[2] then return 0 end
        if string.byte(s) ~= 87 then
          redis.call('HSET', name, 's', s)
          return 1
        end
        redis.call('ZREM', KEYS[1] .. ':l', ARGV[1])
        """;
  }

  private final ScriptOutputType output;
  private final String body;
  private final String sha1;

  JobScript(ScriptOutputType output, String lua) {
    this.output = output;
    this.body = lua;
    this.sha1 = LuaScript.sha1(lua);
  }

  @Override
  public ScriptOutputType output() {
    return output;
  }

  @Override
  public String body() {
    return body;
  }

  @Override
  public String sha1() {
    return sha1;
  }
}
