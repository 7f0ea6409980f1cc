package dev.semel.cli.demo;

/** What a bank has taken in the end. */
public record Ledger(int charges, long cents) {
  @Override
  public String toString() {
    return "%s, %s".formatted(charges == 1 ? "1 charge" : charges + " charges", Bank.money(cents));
  }
}
