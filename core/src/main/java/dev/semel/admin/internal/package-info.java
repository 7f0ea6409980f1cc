/** What operators do, step by step: the audit of every change, migrations to another store. */
@NullMarked
package dev.semel.admin.internal;

import org.jspecify.annotations.NullMarked;
