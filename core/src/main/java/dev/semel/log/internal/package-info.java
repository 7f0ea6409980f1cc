/** One line for operators per event that matters, through the JDK's own logger. */
@NullMarked
package dev.semel.log.internal;

import org.jspecify.annotations.NullMarked;
