package dev.semel.example.plain;

import dev.semel.Semel;
import dev.semel.example.Child;
import dev.semel.idempotency.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes requests twice, and kills a worker at the worst moment. */
public final class PlainJava {
  static final String KEYS = "keys.db";

  private PlainJava() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("semel-plain-java");
    BankBook bank = new BankBook(folder);
    // One instance for the whole process; it is safe for all threads.
    try (Semel semel = Semel.open("sqlite:" + folder.resolve(KEYS))) {
      Payments payments = new Payments(semel, bank);
      say("A payment is asked for twice, and then with another amount.");
      say("  order-1 49.90  " + payments.pay("order-1", 4990));
      say("  order-1 49.90  " + payments.pay("order-1", 4990));
      say("  order-1 99.00  " + payments.pay("order-1", 9900));

      Orders orders = new Orders(semel, folder.resolve(KEYS));
      say("An order is placed twice, in the transaction of its record.");
      say("  a book         " + told(orders.place("cart-1", "a book")));
      say("  a book         " + told(orders.place("cart-1", "a book")));

      say("A worker is killed when the bank has charged and nobody wrote that down.");
      try (Child worker = Child.start(Worker.class, folder.toString(), "order-2")) {
        say("  worker         " + worker.line());
      }
      say("  order-2 49.90  " + payments.pay("order-2", 4990));
    }
    say("The bank's book:");
    bank.charges().forEach(line -> say("  " + line));
    say("The keys: ./semel keys list --store sqlite:" + folder.resolve(KEYS));
  }

  private static String told(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Executed<String> e -> "placed: " + e.result();
      case Outcome.Replayed<String> r -> "was placed before: " + r.result();
      case Outcome.InFlight<String> f -> "someone is at it: ask again";
      case Outcome.Mismatch<String> m -> "refused: this cart held something else";
      case Outcome.Failed<String> f -> "failed for good: " + f.failure();
      case Outcome.InDoubt<String> d -> "never: row and record commit together";
    };
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
