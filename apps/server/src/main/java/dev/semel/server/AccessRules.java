package dev.semel.server;

import dev.semel.InvalidInput;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Access rules of a server, which you read from a token file with {@link #parse} and pass to {@link
 * ServerSettings#withAccess}: which token may do what, on all streams or on those below a prefix.
 * They keep only hashes of tokens and compare in constant time, so that timing reveals nothing
 * about a token.
 */
public final class AccessRules {
  /** Limit of lines with rules. */
  public static final int MAX_RULES = 1000;

  /** Least length of a token, in characters: a shorter one could be guessed. */
  public static final int MIN_TOKEN_LENGTH = 16;

  /**
   * Stands for every continuation of a path. A token passes only if its prefix covers all of them.
   */
  static final String ANYTHING = "*";

  /** How many bytes of a token's hash its displayed name shows. */
  private static final int NAME_BYTES = 4;

  private static final AccessRules OPEN = new AccessRules(List.of());

  private static final class Rule {
    private final byte[] tokenHash;
    private final Set<AccessRight> rights;
    private final String prefix;
    private final TokenQuota quota;

    Rule(byte[] tokenHash, Set<AccessRight> rights, String prefix, TokenQuota quota) {
      this.tokenHash = tokenHash;
      this.rights = rights;
      this.prefix = prefix;
      this.quota = quota;
    }
  }

  private final List<Rule> rules;

  private AccessRules(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Returns new accounts, one for each token with a quota. If several lines of a token set a quota,
   * the smallest applies.
   */
  List<TokenAccount> accounts() {
    Map<String, List<Rule>> byToken = new LinkedHashMap<>();
    rules.forEach(
        rule ->
            byToken
                .computeIfAbsent(HexFormat.of().formatHex(rule.tokenHash), h -> new ArrayList<>())
                .add(rule));
    List<TokenAccount> accounts = new ArrayList<>();
    for (List<Rule> lines : byToken.values()) {
      TokenQuota quota = TokenQuota.NONE;
      for (Rule line : lines) {
        quota = quota.and(line.quota);
      }
      if (!quota.equals(TokenQuota.NONE)) {
        byte[] hash = lines.get(0).tokenHash;
        accounts.add(new TokenAccount(hash, name(hash), quota, appended(lines)));
      }
    }
    return accounts;
  }

  /**
   * Prefixes below which the token may append. None lies below another, so that no stream is
   * counted twice.
   */
  private static List<String> appended(List<Rule> lines) {
    List<String> all =
        lines.stream()
            .filter(each -> grants(each, AccessRight.APPEND))
            .map(each -> each.prefix)
            .toList();
    return all.stream()
        .distinct()
        .filter(each -> all.stream().noneMatch(other -> !other.equals(each) && covers(other, each)))
        .toList();
  }

  /**
   * Rules without tokens: every caller may do everything. A server with these rules listens on
   * loopback only.
   */
  public static AccessRules open() {
    return OPEN;
  }

  /**
   * Reads a file with one rule a line: {@code <token> <rights, comma separated> [prefix]
   * [connections=N] [bytes=N]}. A line with only a token grants all rights on all streams; # begins
   * a comment. A quota applies to its token on all lines, so one line of a token is enough for it.
   */
  public static AccessRules parse(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (MalformedInputException e) {
      throw new InvalidInput("the token file %s is not text in UTF-8".formatted(file));
    } catch (IOException e) {
      throw new InvalidInput(
          "the token file %s can't be read: check that it is there and may be read"
              .formatted(file));
    }
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      try {
        Rule rule = rule(lines.get(i));
        if (rule != null) {
          rules.add(rule);
        }
      } catch (InvalidInput e) {
        throw new InvalidInput("%s, line %d: %s".formatted(file, i + 1, e.getMessage()));
      }
    }
    if (rules.isEmpty()) {
      throw new InvalidInput("the token file %s holds no token: write one a line".formatted(file));
    }
    if (rules.size() > MAX_RULES) {
      throw new InvalidInput(
          "the token file %s holds over %d rules: use fewer".formatted(file, MAX_RULES));
    }
    return new AccessRules(rules);
  }

  /** Its errors never contain the line's first word, because that is the secret. */
  private static @Nullable Rule rule(String line) {
    String text = line.strip();
    if (text.isEmpty() || text.startsWith("#")) {
      return null;
    }
    String[] words = text.split("\\s+", -1);
    int count = words.length;
    for (int i = 1; i < words.length; i++) {
      if (words[i].startsWith("#")) {
        count = i;
        break;
      }
    }
    TokenQuota quota = TokenQuota.NONE;
    while (count > 1 && TokenQuota.names(words[count - 1])) {
      quota = quota.with(words[--count]);
    }
    if (count > 3) {
      throw new InvalidInput("too many words: write a token, its rights and at most one prefix");
    }
    checkToken(words[0]);
    return new Rule(
        hash(words[0]),
        count < 2 ? EnumSet.of(AccessRight.ADMIN) : rights(words[1]),
        count < 3 ? "" : prefix(words[2]),
        quota);
  }

  private static void checkToken(String token) {
    boolean safe = token.length() >= MIN_TOKEN_LENGTH;
    for (int i = 0; safe && i < token.length(); i++) {
      safe = token.charAt(i) > ' ' && token.charAt(i) <= '~';
    }
    if (!safe) {
      throw new InvalidInput(
          "the token is too short or holds characters that a header can't: use at least %d letters and digits"
              .formatted(MIN_TOKEN_LENGTH));
    }
  }

  private static Set<AccessRight> rights(String text) {
    EnumSet<AccessRight> rights = EnumSet.noneOf(AccessRight.class);
    for (String word : text.split(",", -1)) {
      rights.add(AccessRight.parse(word));
    }
    return rights;
  }

  private static String prefix(String text) {
    String trimmed = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    if (trimmed.isEmpty() || trimmed.startsWith("/")) {
      throw new InvalidInput("the prefix must begin with a name, such as orders or orders/eu");
    }
    return trimmed;
  }

  public boolean isOpen() {
    return rules.isEmpty();
  }

  /** Result of a check: forbidden means that the token is known but lacks the right. */
  enum Verdict {
    ALLOWED,
    UNKNOWN,
    FORBIDDEN
  }

  /**
   * Checks whether a token grants a right.
   *
   * @param path a stream's path; with {@link #ANYTHING} behind it, all paths that begin with it
   */
  Verdict check(@Nullable String token, AccessRight right, String path) {
    if (isOpen()) {
      return Verdict.ALLOWED;
    }
    if (token == null) {
      return Verdict.UNKNOWN;
    }
    byte[] hash = hash(token);
    boolean known = false;
    boolean allowed = false;
    // Always compares all rules: an early exit would show in the time which rule matched.
    for (Rule rule : rules) {
      boolean same = MessageDigest.isEqual(hash, rule.tokenHash);
      known |= same;
      allowed |= same && grants(rule, right) && covers(rule.prefix, path);
    }
    return allowed ? Verdict.ALLOWED : known ? Verdict.FORBIDDEN : Verdict.UNKNOWN;
  }

  /** The token's name in logs, answers and the event log; it does not reveal the token. */
  static String name(@Nullable String token) {
    return token == null ? "loopback" : name(hash(token));
  }

  private static String name(byte[] tokenHash) {
    return "token " + HexFormat.of().formatHex(tokenHash, 0, NAME_BYTES);
  }

  private static boolean grants(Rule rule, AccessRight right) {
    return rule.rights.contains(right) || rule.rights.contains(AccessRight.ADMIN);
  }

  /** Compares whole segments: orders covers orders and orders/eu, but not orders-secret. */
  static boolean covers(String prefix, String path) {
    return prefix.isEmpty()
        || path.equals(prefix)
        || (path.startsWith(prefix) && path.charAt(prefix.length()) == '/');
  }

  static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
