package dev.semel.example.payments;

/** A payment that was charged. */
record Charge(long id, String customer, String order, long amount) {}
