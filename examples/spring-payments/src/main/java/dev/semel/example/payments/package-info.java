/**
 * An application that takes payments, each of them once. Start with {@link PaymentsApplication};
 * the two ways to pay are {@link PaymentController}, whose effect is in the database, and {@link
 * CardPaymentController}, whose effect is elsewhere. What is special about them is in {@code
 * application.properties} and in {@link CardPaymentsOnce}: the code that charges knows nothing of
 * keys.
 */
@NullMarked
package dev.semel.example.payments;

import org.jspecify.annotations.NullMarked;
