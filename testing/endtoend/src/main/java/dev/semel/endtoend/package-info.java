/** From a transaction to an effect, over any transport and with processes that die. */
@NullMarked
package dev.semel.endtoend;

import org.jspecify.annotations.NullMarked;
