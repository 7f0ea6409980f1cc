package dev.semel.example.payments;

/**
 * A customer's payment request. An invalid one is answered with 400.
 *
 * @param amount in cents
 */
record Payment(String order, long amount) {
  Payment {
    if (order == null || order.isBlank() || amount <= 0) {
      throw new IllegalArgumentException("a payment has an order, and an amount above zero");
    }
  }
}
