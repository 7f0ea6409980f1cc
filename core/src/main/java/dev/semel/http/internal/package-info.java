/** How a guarded request is handled, and how its answer is stored. */
@NullMarked
package dev.semel.http.internal;

import org.jspecify.annotations.NullMarked;
