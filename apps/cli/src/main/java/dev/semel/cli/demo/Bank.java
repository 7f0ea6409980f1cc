package dev.semel.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Takes money and keeps a ledger. Safe for many threads. */
final class Bank {
  private final List<Long> charges = new ArrayList<>();

  /** Takes the money at once and returns the receipt. */
  synchronized String charge(long cents) {
    charges.add(cents);
    return "receipt " + charges.size();
  }

  synchronized BankLedger ledger() {
    return new BankLedger(charges.size(), charges.stream().mapToLong(Long::longValue).sum());
  }

  static String money(long cents) {
    return String.format(Locale.ROOT, "%d.%02d €", cents / 100, cents % 100);
  }
}
