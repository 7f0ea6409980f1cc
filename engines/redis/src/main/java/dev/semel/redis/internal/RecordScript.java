package dev.semel.redis.internal;

import io.lettuce.core.ScriptOutputType;

/**
 * The steps of records, each on one key, of counts and of settings. Positions are those of {@link
 * RecordCodec}, counted from 1 as Lua does: state 1, token 2–17, shape 18; in flight lease 19–22
 * and retention 23–28; ended rounded retention 19–20. State codes: 80 is P, 67 C, 70 F, 82 R.
 *
 * <p>A script that makes a change answers 1 when it made it, 2 when it was made earlier, and 0 when
 * the token or the value read before has changed. Each is idempotent.
 */
enum RecordScript implements LuaScript {
  /** Value and remaining time to live, from the same moment. */
  PEEK(
      ScriptOutputType.MULTI,
      """
      local value = redis.call('GET', KEYS[1])
      if not value then return {} end
      return {value, redis.call('PTTL', KEYS[1])}
      """),

  /**
   * Writes without changing anything. A replica with this write has all earlier ones, so WAIT after
   * it also covers other connections' writes. (Redis 7 also covers writes before a mere read, but
   * does not promise that.)
   */
  TOUCH(
      ScriptOutputType.INTEGER,
      """
      local left = redis.call('PTTL', KEYS[1])
      if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
      return 1
      """),

  /**
   * ARGV: the header read before, the new value, its retention. A record in flight is taken only if
   * its lease is still over: a renewal does not always change the header.
   */
  TAKE(
      ScriptOutputType.INTEGER,
      """
      local value = redis.call('GET', KEYS[1])
      if not value then return 0 end
      local inFlight = string.byte(value) == 80
      if inFlight and string.sub(value, 2, 17) == string.sub(ARGV[2], 2, 17) then return 2 end
      if string.sub(value, 1, 28) ~= ARGV[1] then return 0 end
      if inFlight then
        local lease, retention = struct.unpack('>I4I6', value, 19)
        if retention - redis.call('PTTL', KEYS[1]) < lease then return 0 end
      end
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
      return 1
      """),

  /** ARGV: the header read before, the new value, its retention. */
  ADOPT(
      ScriptOutputType.INTEGER,
      """
      local value = redis.call('GET', KEYS[1])
      if not value then return 0 end
      if value == ARGV[2] then return 2 end
      if string.sub(value, 1, 28) ~= ARGV[1] then return 0 end
      redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
      return 1
      """),

  /** ARGV: token, lease. The time to live restarts, and is never shorter than the lease. */
  RENEW(
      ScriptOutputType.INTEGER,
      """
      local value = redis.call('GET', KEYS[1])
      if not value or string.byte(value) ~= 80 or string.sub(value, 2, 17) ~= ARGV[1] then
        return 0
      end
      local lease = tonumber(ARGV[2])
      local retention = math.max(lease, (struct.unpack('>I6', value, 23)))
      redis.call('SET', KEYS[1],
        string.sub(value, 1, 18) .. struct.pack('>I4I6', lease, retention) .. string.sub(value, 29),
        'PX', retention)
      return 1
      """),

  /** ARGV: token, state code, retention, the rounded retention, tail. */
  COMPLETE(
      ScriptOutputType.INTEGER,
      """
      local value = redis.call('GET', KEYS[1])
      if not value or string.sub(value, 2, 17) ~= ARGV[1] then return 0 end
      local state = string.byte(value)
      if state ~= 80 then return (state == 67 or state == 70) and 2 or 0 end
      local shape = string.byte(value, 18)
      if ARGV[5] ~= '' then shape = shape + 16 end
      redis.call('SET', KEYS[1],
        ARGV[2] .. ARGV[1] .. string.char(shape) .. ARGV[4] .. string.sub(value, 29) .. ARGV[5],
        'PX', ARGV[3])
      return 1
      """),

  /** ARGV: token. */
  RELEASE(
      ScriptOutputType.INTEGER,
      Shared.RELEASE
          + """
      local value = redis.call('GET', KEYS[1])
      if not value or string.sub(value, 2, 17) ~= ARGV[1] then return 0 end
      local state = string.byte(value)
      if state ~= 80 then return state == 82 and 2 or 0 end
      release(value, ARGV[1])
      return 1
      """),

  /** ARGV: the header read before, a token that nobody has. Releases a record of any state. */
  FREE(
      ScriptOutputType.INTEGER,
      Shared.RELEASE
          + """
      local value = redis.call('GET', KEYS[1])
      if not value then return 0 end
      if string.sub(value, 2, 17) == ARGV[2] then return 2 end
      if string.sub(value, 1, 28) ~= ARGV[1] then return 0 end
      release(value, ARGV[2])
      return 1
      """),

  /** ARGV: the header read before. */
  REMOVE(
      ScriptOutputType.INTEGER,
      """
      local value = redis.call('GET', KEYS[1])
      if not value or string.sub(value, 1, 28) ~= ARGV[1] then return 0 end
      return redis.call('UNLINK', KEYS[1])
      """),

  /** Redis's time, in seconds and microseconds. */
  NOW(
      ScriptOutputType.MULTI,
      """
      return redis.call('TIME')
      """),

  /**
   * KEYS: totals, the minute's counts, the number of the writer's last batch. ARGV: the minute, the
   * limit of fields, how many seconds to keep the minute, this batch's number, how many seconds to
   * keep that, then name, overflow name and delta of each counter. Answers 0, or the time in ms if
   * the minute is another one.
   */
  COUNT(
      ScriptOutputType.INTEGER,
      """
      local reached = redis.call('GET', KEYS[3])
      if reached and tonumber(ARGV[4]) <= tonumber(reached) then return 0 end
      local now = redis.call('TIME')
      if math.floor(now[1] / 60) ~= tonumber(ARGV[1]) then
        return now[1] * 1000 + math.floor(now[2] / 1000)
      end
      for i = 6, #ARGV, 3 do
        local field = ARGV[i]
        if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[2])
            and redis.call('HEXISTS', KEYS[1], field) == 0 then
          field = ARGV[i + 1]
        end
        redis.call('HINCRBY', KEYS[1], field, ARGV[i + 2])
        redis.call('HINCRBY', KEYS[2], field, ARGV[i + 2])
      end
      redis.call('EXPIRE', KEYS[2], ARGV[3])
      redis.call('SET', KEYS[3], ARGV[4], 'EX', ARGV[5])
      return 0
      """),

  /**
   * ARGV: operation, the version read before, the next text, the limit of operations. Answers -1 at
   * the limit.
   */
  SET(
      ScriptOutputType.INTEGER,
      """
      local last = redis.call('HGET', KEYS[1], ARGV[1])
      local version = last and tonumber(string.match(last, '^%d+')) or 0
      local nextOne = string.format('%.0f', ARGV[2] + 1) .. ' ' .. ARGV[3]
      if last == nextOne then return 2 end
      if version ~= tonumber(ARGV[2]) then return 0 end
      if not last and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then return -1 end
      redis.call('HSET', KEYS[1], ARGV[1], nextOne)
      return 1
      """);

  /** A part of two scripts, in a class because an enum's constants can't use its static fields. */
  private static final class Shared {
    /**
     * Keeps attempt and request id and drops the rest. A record in flight gets its full time to
     * live again, because retention counts from the last change; an ended record keeps the rest of
     * it.
     */
    static final String RELEASE =
        """
        local function release(value, token)
          local shape = string.byte(value, 18)
          local at = ({[80] = 29, [82] = 19})[string.byte(value)] or 21
          local attempt = ''
          if bit.band(shape, 8) ~= 0 then
            attempt = string.sub(value, at, at + 3)
            at = at + 4
          end
          if bit.band(shape, 1) ~= 0 then at = at + 32 end
          if bit.band(shape, 2) ~= 0 then at = at + 2 + struct.unpack('>I2', value, at) end
          local requestId = ''
          if bit.band(shape, 4) ~= 0 then
            requestId = string.sub(value, at, at + string.byte(value, at))
          end
          local released = 'R' .. token .. string.char(bit.band(shape, 12)) .. attempt .. requestId
          if string.byte(value) == 80 then
            redis.call('SET', KEYS[1], released, 'PX', (struct.unpack('>I6', value, 23)))
          else
            redis.call('SET', KEYS[1], released, 'KEEPTTL')
          end
        end
        """;
  }

  private final ScriptOutputType output;
  private final String body;
  private final String sha1;

  RecordScript(ScriptOutputType output, String lua) {
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
