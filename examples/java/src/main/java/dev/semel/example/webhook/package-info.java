/** A webhook receiver that handles repeated events once. Start with {@link Receiver}. */
@NullMarked
package dev.semel.example.webhook;

import org.jspecify.annotations.NullMarked;
