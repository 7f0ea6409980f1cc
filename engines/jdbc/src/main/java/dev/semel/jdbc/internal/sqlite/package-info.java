/**
 * SQLite: one writer, which commits many calls at a time, and readers beside it. Start at {@link
 * dev.semel.jdbc.internal.sqlite.SqliteFile}.
 */
@NullMarked
package dev.semel.jdbc.internal.sqlite;

import org.jspecify.annotations.NullMarked;
