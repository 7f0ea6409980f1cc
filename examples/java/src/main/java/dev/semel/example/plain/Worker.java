package dev.semel.example.plain;

import dev.semel.Semel;
import java.nio.file.Path;

/**
 * Pays an order at a bank that charges and then does not answer, so that the demo can kill it
 * there.
 */
final class Worker {
  private Worker() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    BankBook book = new BankBook(folder);
    Bank silent =
        (order, cents, effectKey) -> {
          String reference = book.charge(order, cents, effectKey);
          System.out.println("the bank has charged " + order);
          int unused = System.in.read(); // no answer arrives
          return reference;
        };
    try (Semel semel = Semel.open("sqlite:" + folder.resolve(PlainJava.KEYS))) {
      System.out.println(new Payments(semel, silent).pay(arguments[1], 4990));
    }
  }
}
