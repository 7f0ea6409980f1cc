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
 * Who may do what: tokens with rights on all streams or on those below a prefix. Tokens are only
 * kept as hashes and compared without telling by the time taken how much of one was right.
 */
public final class AccessRules {
  /** Most lines with rules. */
  public static final int MAX_RULES = 1000;

  /** Shortest token, in characters: what is shorter can be guessed. */
  public static final int MIN_TOKEN_LENGTH = 16;

  /** Stands for whatever a path may go on with; only who may see all of it may see it. */
  static final String ANYTHING = "*";

  /** How much of a token's hash is its name. */
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

  /** A new one for each token that has a quota, on whichever of its lines. */
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

  /** Where they may append, none below another, so that nothing is counted twice. */
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

  /** No tokens: whoever can connect may do everything. */
  public static AccessRules open() {
    return OPEN;
  }

  /**
   * Reads a file with one rule a line: {@code <token> <rights, comma separated> [prefix]
   * [connections=N] [bytes=N]}. A line with only a token gives all rights on all streams; # begins
   * a comment. What a token may use is the same on all its lines: one of them says it.
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

  /** Its messages never hold the line's first word: that is the secret. */
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

  /** What the bearer of a token is told. */
  enum Verdict {
    ALLOWED,
    UNKNOWN,
    FORBIDDEN
  }

  /**
   * Whether the bearer of a token may do this.
   *
   * @param path a stream's, or with {@link #ANYTHING} behind it all that begin with it
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
    // All of them, always: where the right one stands must not show in the time.
    for (Rule rule : rules) {
      boolean same = MessageDigest.isEqual(hash, rule.tokenHash);
      known |= same;
      allowed |= same && grants(rule, right) && covers(rule.prefix, path);
    }
    return allowed ? Verdict.ALLOWED : known ? Verdict.FORBIDDEN : Verdict.UNKNOWN;
  }

  /** What the bearer of a token is called where it is written down; the token can't be told. */
  static String name(@Nullable String token) {
    return token == null ? "loopback" : name(hash(token));
  }

  private static String name(byte[] tokenHash) {
    return "token " + HexFormat.of().formatHex(tokenHash, 0, NAME_BYTES);
  }

  private static boolean grants(Rule rule, AccessRight right) {
    return rule.rights.contains(right) || rule.rights.contains(AccessRight.ADMIN);
  }

  /** By whole segments: orders covers orders and orders/eu, but not orders-secret. */
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
