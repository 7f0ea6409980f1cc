/** {@code semel outbox} and {@code semel inbox}. */
@NullMarked
package dev.semel.cli.messages;

import org.jspecify.annotations.NullMarked;
