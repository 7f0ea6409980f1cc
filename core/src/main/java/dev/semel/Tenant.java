package dev.semel;

import dev.semel.internal.NameSyntax;

/** Whose keys these are. Records of two tenants never meet, whatever their operations and ids. */
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
