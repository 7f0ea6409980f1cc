/** Payments that happen once, without a framework. Start with {@link Payments}. */
@NullMarked
package dev.semel.example.plain;

import org.jspecify.annotations.NullMarked;
