/**
 * The records of the control center as JSON, and back: the one place that knows their members, so
 * that the admin API and the commands have the same documents. Members are in snake case; lengths
 * of time end in {@code _ms}, points in time are ISO 8601.
 *
 * <p>{@link dev.semel.admin.document.internal.AdminAction} lists the actions of operators, and
 * {@link dev.semel.admin.document.internal.ExportTable} the CSV columns of exports: a new action,
 * parameter, member or column begins there, and tests show where it is still missing.
 *
 * <p>Start at {@link dev.semel.admin.document.internal.KeyDocument}; each of the others has the
 * same shape. An invalid document is {@link dev.semel.InvalidInput}.
 */
@NullMarked
package dev.semel.admin.document.internal;

import org.jspecify.annotations.NullMarked;
