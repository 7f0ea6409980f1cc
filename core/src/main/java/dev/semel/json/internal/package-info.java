/**
 * The reader and the writers of JSON. {@link dev.semel.json.internal.CanonicalJson} is the one form
 * in which equal values have equal bytes; {@link dev.semel.json.internal.FieldPath} picks a part.
 */
@NullMarked
package dev.semel.json.internal;

import org.jspecify.annotations.NullMarked;
