package dev.semel.cli.demo;

import dev.semel.json.Json;

/** A bank's takings at the end. */
record BankLedger(int charges, long cents) {
  DemoStories.Side side() {
    return new DemoStories.Side(
        "%s, %s".formatted(charges == 1 ? "1 charge" : charges + " charges", Bank.money(cents)),
        Json.object().with("charges", charges).with("cents", cents).build());
  }
}
