package dev.semel.http.spi;

import dev.semel.Tenant;
import dev.semel.internal.Ids;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Gives each authenticated caller a separate tenant. A name that is not a valid tenant becomes a
 * hash; so does one that looks like such a hash or like the tenant of anonymous callers, so that
 * nobody can choose a name that leads to another caller's answers.
 */
public final class CallerTenants {
  private static final Pattern PLAIN = Pattern.compile("(?!p-)[A-Za-z0-9._-]{1,64}");

  private CallerTenants() {}

  public static Tenant of(String principal) {
    if (principal.isEmpty()) {
      return Tenant.DEFAULT;
    }
    boolean plain = PLAIN.matcher(principal).matches() && !principal.equals(Tenant.DEFAULT.name());
    return plain ? new Tenant(principal) : hashed(principal);
  }

  /** For secrets, which must never be visible, such as an {@code Authorization} header. */
  public static Tenant hashed(String secret) {
    return new Tenant(
        "p-" + Ids.sha256Hex(secret.getBytes(StandardCharsets.UTF_8)).substring(0, 32));
  }
}
