/**
 * Orders on a stream, whatever is killed on the way. Start with {@link Producer} and {@link
 * Reader}.
 */
@NullMarked
package dev.semel.example.streams;

import org.jspecify.annotations.NullMarked;
