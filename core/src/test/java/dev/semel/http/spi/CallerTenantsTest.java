package dev.semel.http.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Tenant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CallerTenantsTest {
  @Test
  void aPlainNameIsItsOwnTenant() {
    assertThat(CallerTenants.of("alice").name()).isEqualTo("alice");
    assertThat(CallerTenants.of("a".repeat(64)).name()).hasSize(64);
  }

  @Test
  void onlyThoseWithoutANameShareTheDefaultTenant() {
    assertThat(CallerTenants.of("")).isEqualTo(Tenant.DEFAULT);
    assertThat(CallerTenants.of(Tenant.DEFAULT.name())).isNotEqualTo(Tenant.DEFAULT);
  }

  @Test
  void nobodyCanTakeTheNameOfAnothersHash() {
    Tenant victim = CallerTenants.of("Zoë Müller <zoe@example.org>");
    assertThat(CallerTenants.of(victim.name())).isNotEqualTo(victim);
    assertThat(CallerTenants.of(CallerTenants.of(victim.name()).name())).isNotEqualTo(victim);
    Tenant secret = CallerTenants.hashed("Bearer abc");
    assertThat(CallerTenants.of(secret.name())).isNotEqualTo(secret);
  }

  @Test
  void secretsAreNotShown() {
    assertThat(CallerTenants.hashed("abc").name()).doesNotContain("abc").matches("p-[0-9a-f]{32}");
  }

  @Test
  void noTwoPrincipalsShareATenant() {
    Map<Tenant, String> owners = new HashMap<>();
    List<String> parts =
        List.of("a", "A", "b", "-", ".", "_", "p-", "/", " ", "é", "default", "\n");
    for (long seed = 1; seed <= 20_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder name = new StringBuilder();
      for (int i = random.nextInt(70); i >= 0; i--) {
        name.append(parts.get(random.nextInt(parts.size())));
      }
      take(owners, name.toString(), seed);
    }
    take(owners, "", 0);
    List.copyOf(owners.keySet()).forEach(tenant -> take(owners, tenant.name(), 0));
  }

  private static void take(Map<Tenant, String> owners, String principal, long seed) {
    String owner = owners.putIfAbsent(CallerTenants.of(principal), principal);
    assertThat(owner == null ? principal : owner).as("seed %d", seed).isEqualTo(principal);
  }
}
