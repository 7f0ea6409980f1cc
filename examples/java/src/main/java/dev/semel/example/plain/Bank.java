package dev.semel.example.plain;

import java.io.IOException;

/** The bank, an outside system: no rollback undoes its effects. */
interface Bank {
  /**
   * Charges, and returns the bank's reference.
   *
   * @param effectKey the same for every attempt, for banks that deduplicate
   */
  String charge(String order, long cents, String effectKey) throws IOException;
}
