package dev.semel.cli.demo;

import dev.semel.Key;
import dev.semel.idempotency.Store;
import dev.semel.json.JsonValue;
import java.nio.file.Path;
import java.util.Optional;

/** The stories that there are. */
public enum Demo {
  DOUBLE_CLICK("double-click", "a payment button, pressed twice") {
    @Override
    public Ending play(Store store, Path folder, Narrator narrator) throws InterruptedException {
      return DoubleClick.play(store, narrator);
    }
  },
  OUTBOX_CRASH("outbox-crash", "a shop that dies between its commit and the publish") {
    @Override
    public Ending play(Store store, Path folder, Narrator narrator) throws InterruptedException {
      return OutboxCrash.play(folder, narrator);
    }
  };

  private final String title;
  private final String text;

  Demo(String text, String title) {
    this.text = text;
    this.title = title;
  }

  /** How it is called on the command line. */
  public String text() {
    return text;
  }

  public String title() {
    return title;
  }

  /**
   * Plays it for real.
   *
   * @param folder its own, where it may leave files; gone afterwards
   */
  public abstract Ending play(Store store, Path folder, Narrator narrator)
      throws InterruptedException;

  /**
   * What both sides have in the end.
   *
   * @param where they have it, as a heading
   * @param once the effect happened once with Semel
   * @param key that is still in the store; empty: none
   */
  public record Ending(String where, Side without, Side with, boolean once, Optional<Key> key) {}

  /** One side, for people and for programs. */
  public record Side(String text, JsonValue json) {}
}
