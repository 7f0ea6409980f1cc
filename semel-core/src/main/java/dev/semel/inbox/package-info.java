/**
 * Messages that take effect once. An id is recorded in the transaction of what its handler writes:
 * so a message that comes again, for whatever reason, finds its id and is only acknowledged.
 */
@NullMarked
package dev.semel.inbox;

import org.jspecify.annotations.NullMarked;
