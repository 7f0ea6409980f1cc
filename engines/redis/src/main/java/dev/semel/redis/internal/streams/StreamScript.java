package dev.semel.redis.internal.streams;

import dev.semel.redis.internal.LuaScript;
import io.lettuce.core.ScriptOutputType;

/**
 * The steps of messages. All keys of a step are of one partition, whose slot they share; {@link
 * StreamPartition} names them. Whatever changes what a consumer has finished compares the token of
 * the partition's reader, so one that was replaced changes nothing. Each may be sent twice.
 *
 * <p>A group's entries all belong to the one consumer {@code partition}: who reads is for the lease
 * to say, and no names of dead readers stay behind.
 */
public enum StreamScript implements LuaScript {
  /**
   * KEYS: stream, ids, earlier ids, rest. ARGV: window in ms, most entries, most bytes, most ids,
   * channel, partition, number of messages, the id of each; then of each ordering key, type,
   * payload, number of parts of its headers, these. Answers for each: a or d with the entry, added
   * now or before; else the limit it met, l, b or i.
   *
   * <p>Ids are known for at least the window: they are put aside when the oldest is that old, and
   * dropped when those that came after it are. They are looked up and written together, because
   * each call costs more than what it does. How many bytes there are is looked up at every 64th
   * length only; as long as nothing is added the length stays there.
   */
  APPEND(
      ScriptOutputType.MULTI,
      """
      local window = tonumber(ARGV[1])
      local spare = math.floor(window / 4) + 1000
      local left = redis.call('PTTL', KEYS[2])
      if left >= 0 and left <= window + spare then
        redis.call('UNLINK', KEYS[3])
        redis.call('RENAME', KEYS[2], KEYS[3])
        left = -2
      end
      local count = tonumber(ARGV[7])
      local now = redis.call('HMGET', KEYS[2], unpack(ARGV, 8, 7 + count))
      local earlier = redis.call('EXISTS', KEYS[3]) == 1
        and redis.call('HMGET', KEYS[3], unpack(ARGV, 8, 7 + count))
      local length = redis.call('XLEN', KEYS[1])
      local known = left >= 0 and redis.call('HLEN', KEYS[2]) or 0
      local answers, added, places, i = {}, {}, {}, 8 + count
      local touched = {}
      for n = 1, count do
        local id, last = ARGV[7 + n], i + 3 + tonumber(ARGV[i + 3])
        local at = now[n] or places[id]
        if at then touched[KEYS[2]] = true end
        if not at and earlier and earlier[n] then
          at = earlier[n]
          touched[KEYS[3]] = true
        end
        if at then
          answers[n] = 'd' .. at
        elseif length >= tonumber(ARGV[2]) then
          answers[n] = 'l'
        elseif length % 64 == 0 and length > 0
            and redis.call('MEMORY', 'USAGE', KEYS[1]) > tonumber(ARGV[3]) then
          answers[n] = 'b'
        elseif known >= tonumber(ARGV[4]) then
          answers[n] = 'i'
        else
          at = redis.call('XADD', KEYS[1], '*', 'id', id, 'key', ARGV[i], 'type', ARGV[i + 1],
            'payload', ARGV[i + 2], unpack(ARGV, i + 4, last))
          places[id] = at
          added[#added + 1] = id
          added[#added + 1] = at
          length, known = length + 1, known + 1
          answers[n] = 'a' .. at
        end
        i = last + 1
      end
      if #added > 0 then
        redis.call('HSET', KEYS[2], unpack(added))
        if left < 0 then redis.call('PEXPIRE', KEYS[2], 2 * window + spare) end
        if redis.call('DEL', KEYS[4]) == 1 then
          -- Readers look by themselves now and then: a user who may not publish is no failure.
          redis.pcall('PUBLISH', ARGV[5], ARGV[6])
        end
      end
      for ids in pairs(touched) do
        -- A write that changes nothing, so that WAIT speaks for the first ones too.
        redis.call('PEXPIRE', ids, redis.call('PTTL', ids))
      end
      return answers
      """),

  /** KEYS: number of partitions. ARGV: how many there are to be if nobody said so yet. */
  PARTITIONS(
      ScriptOutputType.INTEGER,
      """
      redis.call('SET', KEYS[1], ARGV[1], 'NX')
      return tonumber(redis.call('GET', KEYS[1]))
      """),

  /** KEYS: number of partitions. The same without saying anything: 0 if nobody has. */
  PARTITIONS_THERE(
      ScriptOutputType.INTEGER,
      """
      return tonumber(redis.call('GET', KEYS[1]) or 0)
      """),

  /** KEYS: stream. ARGV: group. From the beginning of what is there. */
  GROUP(
      ScriptOutputType.INTEGER,
      """
      local made = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
      if made.err and not string.find(made.err, 'BUSYGROUP', 1, true) then return made end
      return 1
      """),

  /** KEYS: members. ARGV: member, for how many ms. Answers how many there are. */
  JOIN(
      ScriptOutputType.INTEGER,
      """
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
      redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
      redis.call('PEXPIRE', KEYS[1], 2 * ARGV[2])
      return redis.call('ZCARD', KEYS[1])
      """),

  /** KEYS: members. ARGV: member. */
  LEAVE(
      ScriptOutputType.INTEGER,
      """
      return redis.call('ZREM', KEYS[1], ARGV[1])
      """),

  /** KEYS: lease. ARGV: a token never used before, ms. */
  TAKE(
      ScriptOutputType.INTEGER,
      """
      local holder = redis.call('GET', KEYS[1])
      if holder and holder ~= ARGV[1] then return 0 end
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      return 1
      """),

  /** KEYS: lease. ARGV: token, ms. One that ended is not renewed: another may have had it since. */
  RENEW(
      ScriptOutputType.INTEGER,
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      return redis.call('PEXPIRE', KEYS[1], ARGV[2])
      """),

  /** KEYS: lease. ARGV: token. */
  RELEASE(
      ScriptOutputType.INTEGER,
      """
      if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
      return redis.call('DEL', KEYS[1])
      """),

  /**
   * KEYS: stream, lease. ARGV: group, token, first id, how many. What was handed out and not
   * acknowledged, in order: answers where to go on or 0-0, and id, fields and number of deliveries
   * of each; nothing at all to one who does not have the partition.
   */
  CLAIM(
      ScriptOutputType.MULTI,
      """
      if redis.call('GET', KEYS[2]) ~= ARGV[2] then return {} end
      local times = {}
      for _, each in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], '+', ARGV[4])) do
        times[each[1]] = each[4]
      end
      local claimed =
        redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], 'lane', 0, ARGV[3], 'COUNT', ARGV[4])
      for _, entry in ipairs(claimed[2]) do entry[3] = times[entry[1]] or 1 end
      return {claimed[1], claimed[2]}
      """),

  /**
   * KEYS: stream, lease, rest. ARGV: group, token, how many, for how many ms a bell is to be rung
   * if there is nothing, the last entry the reader knows of. Answers id and fields of each; nothing
   * at all to one who does not have the partition: what it read nobody would ever see.
   *
   * <p>What was handed out after the last known entry was in an answer that got lost, and comes
   * first. Of what was deleted meanwhile only the id is left, and it is finished with that.
   */
  FETCH(
      ScriptOutputType.MULTI,
      """
      if redis.call('GET', KEYS[2]) ~= ARGV[2] then return {} end
      local function read(from)
        local found = redis.call('XREADGROUP', 'GROUP', ARGV[1], 'lane', 'COUNT', ARGV[3],
          'STREAMS', KEYS[1], from)
        return found and found[1][2] or {}
      end
      local entries = {}
      for _, entry in ipairs(read(ARGV[5])) do
        if entry[2] then
          entries[#entries + 1] = entry
        else
          redis.call('XACK', KEYS[1], ARGV[1], entry[1])
        end
      end
      if #entries == 0 then entries = read('>') end
      if #entries == 0 then redis.call('SET', KEYS[3], '', 'PX', ARGV[4]) end
      return {entries}
      """),

  /**
   * KEYS: stream, lease. ARGV: group, token, ids. Answers 0 to one who does not have the partition.
   */
  ACKNOWLEDGE(
      ScriptOutputType.INTEGER,
      Shared.TRIM
          + """
      if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
      redis.call('XACK', KEYS[1], ARGV[1], unpack(ARGV, 3))
      trim(KEYS[1])
      return 1
      """),

  /** KEYS: stream. ARGV: group. How many entries it has not finished. */
  LAG(
      ScriptOutputType.INTEGER,
      Shared.GROUPS
          + """
      local group = groups(KEYS[1])[ARGV[1]]
      if not group then return redis.call('XLEN', KEYS[1]) end
      return (group['lag'] or redis.call('XLEN', KEYS[1])) + group['pending']
      """),

  /** KEYS: stream. Answers its length, and the groups that have not finished its first entry. */
  HELD(
      ScriptOutputType.MULTI,
      Shared.TRIM
          + """
      local answer = {redis.call('XLEN', KEYS[1])}
      local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
      for name, group in pairs(first and groups(KEYS[1]) or {}) do
        if not less(first[1], needs(KEYS[1], name, group)) then answer[#answer + 1] = name end
      end
      return answer
      """),

  /** KEYS: stream, lease. ARGV: group. Answers 0 while someone reads. */
  FORGET(
      ScriptOutputType.INTEGER,
      Shared.TRIM
          + """
      if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
      if redis.call('EXISTS', KEYS[1]) == 1 then
        redis.call('XGROUP', 'DESTROY', KEYS[1], ARGV[1])
        trim(KEYS[1])
      end
      return 1
      """);

  /** What several scripts share; a constant of the enum itself could not be used that early. */
  private static final class Shared {
    /** The fields of each group, by its name. */
    static final String GROUPS =
        """
        local function groups(stream)
          local all = {}
          for _, fields in ipairs(redis.call('EXISTS', stream) == 1
              and redis.call('XINFO', 'GROUPS', stream) or {}) do
            local group = {}
            for i = 1, #fields, 2 do group[fields[i]] = fields[i + 1] end
            all[group['name']] = group
          end
          return all
        end
        """;

    /**
     * Drops what every group has finished. Where there is no group, nobody has finished anything.
     */
    static final String TRIM =
        GROUPS
            + """
        local function less(a, b)
          local aTime, aNumber = string.match(a, '^(%d+)-(%d+)$')
          local bTime, bNumber = string.match(b, '^(%d+)-(%d+)$')
          if aTime == bTime then aTime, bTime = aNumber, bNumber end
          if #aTime ~= #bTime then return #aTime < #bTime end
          return aTime < bTime
        end
        local function needs(stream, name, group)
          if group['pending'] > 0 then
            return redis.call('XPENDING', stream, name, '-', '+', 1)[1][1]
          end
          local time, number = string.match(group['last-delivered-id'], '^(%d+)-(%d+)$')
          return time .. '-' .. string.format('%.0f', number + 1)
        end
        local function trim(stream)
          local first
          for name, group in pairs(groups(stream)) do
            local needed = needs(stream, name, group)
            if not first or less(needed, first) then first = needed end
          end
          if first then redis.call('XTRIM', stream, 'MINID', '=', first) end
        end
        """;
  }

  private final ScriptOutputType output;
  private final String body;
  private final String sha1;

  StreamScript(ScriptOutputType output, String lua) {
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
