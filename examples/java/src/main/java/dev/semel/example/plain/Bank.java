package dev.semel.example.plain;

import java.io.IOException;

/** Where the money is: outside, so that nothing that happens there can be rolled back. */
interface Bank {
  /**
   * Its reference for the charge.
   *
   * @param effectKey the same for every attempt; a bank that deduplicates by itself goes by it
   */
  String charge(String order, long cents, String effectKey) throws IOException;
}
