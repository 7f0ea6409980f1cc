/** The lookup of engines, and the engine in memory. */
@NullMarked
package dev.semel.engine.internal;

import org.jspecify.annotations.NullMarked;
