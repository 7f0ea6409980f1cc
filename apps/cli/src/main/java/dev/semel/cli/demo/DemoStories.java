package dev.semel.cli.demo;

import dev.semel.Key;
import dev.semel.json.JsonValue;
import java.util.Optional;

/** All stories. */
public enum DemoStories {
  DOUBLE_CLICK("double-click", "a payment button, pressed twice") {
    @Override
    public Ending play(DemoStage stage) throws InterruptedException {
      return DoubleClick.play(stage);
    }
  },
  RETRY_STORM("retry-storm", "an export that fails half way, and five retries") {
    @Override
    public Ending play(DemoStage stage) {
      return RetryStorm.play(stage);
    }
  },
  WEBHOOKS("webhooks", "an event that is sent three times") {
    @Override
    public Ending play(DemoStage stage) throws InterruptedException {
      return WebhookSource.play(stage);
    }
  },
  CRON_OVERLAP("cron-overlap", "a nightly report that takes too long, on two machines") {
    @Override
    public Ending play(DemoStage stage) throws InterruptedException {
      return CronOverlap.play(stage);
    }
  },
  ZOMBIE("zombie", "a worker that wakes up after its lease ended") {
    @Override
    public Ending play(DemoStage stage) throws InterruptedException {
      return ZombieStory.play(stage);
    }
  },
  OUTBOX_CRASH("outbox-crash", "a shop that dies between its commit and the publish") {
    @Override
    public Ending play(DemoStage stage) throws InterruptedException {
      return OutboxCrash.play(stage.folder(), stage.narrator());
    }
  };

  private final String title;
  private final String text;

  DemoStories(String text, String title) {
    this.text = text;
    this.title = title;
  }

  /** Its name on the command line. */
  public String text() {
    return text;
  }

  public String title() {
    return title;
  }

  /** Runs it for real. */
  public abstract Ending play(DemoStage stage) throws InterruptedException;

  /**
   * The results of both sides.
   *
   * @param where heading of the results
   * @param once whether the effect happened once with Semel
   * @param key a key that is still in the store; empty: none
   */
  public record Ending(String where, Side without, Side with, boolean once, Optional<Key> key) {}

  /** One side, for people and for programs. */
  public record Side(String text, JsonValue json) {}
}
