/** The steps of operators' changes: the audit line of every change, migrations to another store. */
@NullMarked
package dev.semel.admin.internal;

import org.jspecify.annotations.NullMarked;
