/** The handling of a guarded request, and the stored form of its answer. */
@NullMarked
package dev.semel.http.internal;

import org.jspecify.annotations.NullMarked;
