/** How engines are found, and the one that needs nothing. */
@NullMarked
package dev.semel.engine.internal;

import org.jspecify.annotations.NullMarked;
