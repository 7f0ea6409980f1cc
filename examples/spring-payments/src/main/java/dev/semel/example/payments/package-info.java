/**
 * An application that takes each payment once. Start with {@link PaymentsApplication}. There are
 * two ways to pay: {@link PaymentController} has its effect in the database, {@link
 * CardPaymentController} at an outside service. The idempotency is in {@code
 * application.properties} and in {@link CardPaymentsOnce}: the code that charges does not know
 * keys.
 */
@NullMarked
package dev.semel.example.payments;

import org.jspecify.annotations.NullMarked;
