/** Runs the application on a machine without any services; not a part of the application. */
@NullMarked
package dev.semel.example.payments.tryit;

import org.jspecify.annotations.NullMarked;
