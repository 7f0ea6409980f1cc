/**
 * Orders on a stream, with producer, reader and server killed in between. Start with {@link
 * Producer} and {@link Reader}.
 */
@NullMarked
package dev.semel.example.streams;

import org.jspecify.annotations.NullMarked;
