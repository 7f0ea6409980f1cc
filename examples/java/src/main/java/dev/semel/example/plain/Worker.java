package dev.semel.example.plain;

import dev.semel.event.SemelListener;
import dev.semel.idempotency.Idempotency;
import dev.semel.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/** Pays an order at a bank that charges and then does not answer. Made to be killed there. */
final class Worker {
  private Worker() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    BankBook book = new BankBook(folder);
    Bank silent =
        (order, cents, effectKey) -> {
          String reference = book.charge(order, cents, effectKey);
          System.out.println("the bank has charged " + order);
          int unused = System.in.read(); // nothing comes
          return reference;
        };
    try (SqliteStore store =
            SqliteStore.open(folder.resolve(PlainJava.KEYS), InstantSource.system());
        Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
      System.out.println(new Payments(idempotency, silent).pay(arguments[1], 4990));
    }
  }
}
