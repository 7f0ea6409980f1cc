/** Texts, ids and syntax that all our modules share. */
@NullMarked
package dev.semel.internal;

import org.jspecify.annotations.NullMarked;
