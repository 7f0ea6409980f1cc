package dev.semel.redis.internal.streams;

import dev.semel.redis.internal.LuaScript;
import io.lettuce.core.ScriptOutputType;

/**
 * The scripts of messages. All keys of a script belong to one partition and share its slot; {@link
 * StreamPartition} names them. A script that changes a consumer's progress compares the token of
 * the partition's reader, so a replaced reader changes nothing. Each script is idempotent.
 *
 * <p>All entries of a group belong to one Redis consumer, {@code partition}: the lease decides
 * which reader it is, and no names of dead readers stay behind.
 */
public enum StreamScript implements LuaScript {
  /**
   * KEYS: stream, ids, earlier ids, rest. ARGV: window in ms, most entries, most bytes, most ids,
   * channel, partition, number of messages, the id of each; then for each ordering key, type,
   * payload, number of header parts, and these. Answers for each: a or d with the entry, for added
   * now or earlier; or the limit that it met, l, b or i.
   *
   * <p>Ids are known for at least the window: a set of ids is put aside when its oldest is that
   * old, and dropped when the next set is put aside. The script reads and writes all ids together,
   * because each call costs more than its work. It reads the number of bytes only at every 64th
   * length; while nothing is added, the length stays there.
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

  /** KEYS: number of partitions. ARGV: the number for a new destination. Answers the actual one. */
  PARTITIONS(
      ScriptOutputType.INTEGER,
      """
      redis.call('SET', KEYS[1], ARGV[1], 'NX')
      return tonumber(redis.call('GET', KEYS[1]))
      """),

  /** KEYS: number of partitions. Answers it without writing; 0: a new destination. */
  PARTITIONS_THERE(
      ScriptOutputType.INTEGER,
      """
      return tonumber(redis.call('GET', KEYS[1]) or 0)
      """),

  /** KEYS: stream. ARGV: group. Creates the group at the beginning of the stream. */
  GROUP(
      ScriptOutputType.INTEGER,
      """
      local made = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
      if made.err and not string.find(made.err, 'BUSYGROUP', 1, true) then return made end
      return 1
      """),

  /** KEYS: members. ARGV: member, lifetime in ms. Answers the number of members. */
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

  /** KEYS: lease. ARGV: a new token, ms. */
  TAKE(
      ScriptOutputType.INTEGER,
      """
      local holder = redis.call('GET', KEYS[1])
      if holder and holder ~= ARGV[1] then return 0 end
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      return 1
      """),

  /**
   * KEYS: lease. ARGV: token, ms. Does not renew an expired lease: another reader may have had it
   * since.
   */
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
   * KEYS: stream, lease. ARGV: group, token, first id, the limit. Reads entries that were handed
   * out but not acknowledged, in order. Answers where to continue or 0-0, and id, fields and number
   * of deliveries of each; nothing at all without the lease.
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
   * KEYS: stream, lease, rest. ARGV: group, token, the limit, for how many ms to ring the bell if
   * there is nothing, the last entry that the reader knows. Answers id and fields of each; nothing
   * at all without the lease, because entries read then would get lost.
   *
   * <p>Entries handed out after the last known one were in a lost answer, and come first. A deleted
   * entry has only its id, and counts as finished.
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

  /** KEYS: stream, lease. ARGV: group, token, ids. Answers 0 without the lease. */
  ACKNOWLEDGE(
      ScriptOutputType.INTEGER,
      Shared.TRIM
          + """
      if redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
      redis.call('XACK', KEYS[1], ARGV[1], unpack(ARGV, 3))
      trim(KEYS[1])
      return 1
      """),

  /** KEYS: stream. ARGV: group. Answers the group's number of unfinished entries. */
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

  /** KEYS: stream, lease. ARGV: group. Answers 0 while a reader has the partition. */
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

  /**
   * Parts of several scripts, in a class because an enum's constants can't use its static fields.
   */
  private static final class Shared {
    /** Reads the fields of each group, by its name. */
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

    /** Drops entries that every group has finished; without a group, none. */
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
