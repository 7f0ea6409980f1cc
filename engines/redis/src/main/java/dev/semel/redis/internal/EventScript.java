package dev.semel.redis.internal;

import io.lettuce.core.ScriptOutputType;

/**
 * The scripts of the event log. KEYS are always these four: the lines, a stream; their erasable
 * personal parts, a hash by the line's id; which lines are about which key, a sorted set; the ends
 * of the chains, a hash by writer. A stream's entry can't change, so erasable data is stored
 * separately. That includes the hash of a key, which could be guessed.
 */
enum EventScript implements LuaScript {
  /**
   * ARGV: writer; then for each line number, time, kind, tenant, operation, details, commitment,
   * previous hash, hash, the personal part, and the hash of its key or nothing.
   */
  APPEND(
      ScriptOutputType.INTEGER,
      """
      local first, before, last, hash
      local chain = redis.call('HGET', KEYS[4], ARGV[1])
      if chain then first, before, last, hash = string.match(chain, '^(%d+) (%S+) (%d+) (%S+)$') end
      for i = 2, #ARGV, 11 do
        if not last or tonumber(ARGV[i]) > tonumber(last) then
          local id = redis.call('XADD', KEYS[1], '*',
            'writer', ARGV[1], 'number', ARGV[i], 'at', ARGV[i + 1], 'kind', ARGV[i + 2],
            'tenant', ARGV[i + 3], 'operation', ARGV[i + 4], 'details', ARGV[i + 5],
            'commitment', ARGV[i + 6], 'previous', ARGV[i + 7], 'hash', ARGV[i + 8])
          local about = ARGV[i + 10]
          if about ~= '' then redis.call('ZADD', KEYS[3], 0, about .. ' ' .. sortable(id)) end
          if ARGV[i + 9] ~= '' then
            redis.call('HSET', KEYS[2], id, about .. ' ' .. ARGV[i + 9])
          end
          if not first then first, before = ARGV[i], ARGV[i + 7] end
          last, hash = ARGV[i], ARGV[i + 8]
        end
      end
      if first then
        redis.call('HSET', KEYS[4], ARGV[1], table.concat({first, before, last, hash}, ' '))
      end
      return 1
      """),

  /** ARGV: the first id or -, the limit. Answers id, fields and personal part of each line. */
  READ(
      ScriptOutputType.MULTI,
      """
      return withPersonal(redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2]))
      """),

  /** ARGV: the limit. Newest first. */
  LATEST(
      ScriptOutputType.MULTI,
      """
      return withPersonal(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', ARGV[1]))
      """),

  /** ARGV: hash of the key, the limit. Newest first. */
  ABOUT(
      ScriptOutputType.MULTI,
      """
      local lines = {}
      for _, member in ipairs(redis.call('ZRANGE', KEYS[3], '(' .. ARGV[1] .. '!',
          '[' .. ARGV[1] .. ' ', 'BYLEX', 'REV', 'LIMIT', 0, ARGV[2])) do
        local id = idOf(member)
        local found = redis.call('XRANGE', KEYS[1], id, id)
        if found[1] then lines[#lines + 1] = found[1] end
      end
      return withPersonal(lines)
      """),

  /** The id of the newest line, even if it was trimmed. */
  END(
      ScriptOutputType.MULTI,
      """
      if redis.call('EXISTS', KEYS[1]) == 0 then return {'0-0'} end
      local info = redis.call('XINFO', 'STREAM', KEYS[1])
      for i = 1, #info, 2 do
        if info[i] == 'last-generated-id' then return {info[i + 1]} end
      end
      """),

  /** ARGV: hash of the key, the limit. */
  ERASE(
      ScriptOutputType.INTEGER,
      """
      local erased = 0
      for _, member in ipairs(redis.call('ZRANGE', KEYS[3], '[' .. ARGV[1] .. ' ',
          '(' .. ARGV[1] .. '!', 'BYLEX', 'LIMIT', 0, ARGV[2])) do
        erased = erased + redis.call('HDEL', KEYS[2], idOf(member))
        redis.call('ZREM', KEYS[3], member)
      end
      return erased
      """),

  /** ARGV: age in ms, how many to keep, the limit. */
  TRIM(
      ScriptOutputType.INTEGER,
      """
      local now = redis.call('TIME')
      local oldest = now[1] * 1000 + math.floor(now[2] / 1000) - tonumber(ARGV[1])
      local excess = redis.call('XLEN', KEYS[1]) - tonumber(ARGV[2])
      local trimmed = 0
      for _, line in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ARGV[3])) do
        local id = line[1]
        if trimmed >= excess and tonumber(string.match(id, '^%d+')) >= oldest then break end
        local field = {}
        for i = 1, #line[2], 2 do field[line[2][i]] = line[2][i + 1] end
        local first, before, last, hash = string.match(
          redis.call('HGET', KEYS[4], field.writer) or '', '^(%d+) (%S+) (%d+) (%S+)$')
        if last and tonumber(field.number) < tonumber(last) then
          redis.call('HSET', KEYS[4], field.writer, table.concat(
            {string.format('%.0f', field.number + 1), field.hash, last, hash}, ' '))
        else
          redis.call('HDEL', KEYS[4], field.writer)
        end
        local personal = redis.call('HGET', KEYS[2], id)
        if personal then
          local about = string.match(personal, '^%x*')
          redis.call('ZREM', KEYS[3], about .. ' ' .. sortable(id))
          redis.call('HDEL', KEYS[2], id)
        end
        redis.call('XDEL', KEYS[1], id)
        trimmed = trimmed + 1
      end
      return trimmed
      """);

  /** Ids in the sorted set have leading zeros, so that their order is the log's order. */
  private static final class Shared {
    static final String FUNCTIONS =
        """
        local function sortable(id)
          local time, number = string.match(id, '^(%d+)-(%d+)$')
          return string.rep('0', 20 - #time) .. time .. '-' .. string.rep('0', 20 - #number) .. number
        end
        local function idOf(member)
          local time, number = string.match(member, ' 0*(%d+)-0*(%d+)$')
          return time .. '-' .. number
        end
        local function withPersonal(lines)
          for _, line in ipairs(lines) do
            line[3] = redis.call('HGET', KEYS[2], line[1]) or ''
          end
          return lines
        end
        """;
  }

  private final ScriptOutputType output;
  private final String body;
  private final String sha1;

  EventScript(ScriptOutputType output, String lua) {
    this.output = output;
    this.body = Shared.FUNCTIONS + lua;
    this.sha1 = LuaScript.sha1(body);
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
