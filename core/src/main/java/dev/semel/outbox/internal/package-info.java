/** The implementation of an outbox in memory. */
@NullMarked
package dev.semel.outbox.internal;

import org.jspecify.annotations.NullMarked;
