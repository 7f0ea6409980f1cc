/** A receiver whose sender repeats itself. Start with {@link Receiver}. */
@NullMarked
package dev.semel.example.webhook;

import org.jspecify.annotations.NullMarked;
