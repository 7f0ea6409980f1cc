package dev.semel.cli.demo;

import dev.semel.cli.demo.DemoStories.Side;
import dev.semel.json.Json;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the effects where they happen: Semel knows nothing of it. For many threads. */
final class EffectTally {
  private final String one;
  private final String many;
  private final AtomicInteger count = new AtomicInteger();

  EffectTally(String one, String many) {
    this.one = one;
    this.many = many;
  }

  /** Counts one effect and returns its number. */
  int happens() {
    return count.incrementAndGet();
  }

  int count() {
    return count.get();
  }

  /** Such as {@code 3 letters}. */
  String text() {
    return count() == 1 ? "1 " + one : count() + " " + many;
  }

  Side side() {
    return new Side(text(), Json.object().with(many, count()).build());
  }
}
