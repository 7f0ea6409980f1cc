package dev.semel;

import dev.semel.internal.NameSyntax;

/**
 * The customer or caller that a key belongs to. Records of two tenants never meet, whatever their
 * operations and ids.
 */
public record Tenant(String name) {
  public static final Tenant DEFAULT = new Tenant("default");

  public Tenant {
    NameSyntax.check("tenant", name);
  }

  @Override
  public String toString() {
    return name;
  }
}
