/**
 * Backups of the files that a server keeps, made while they are in use. Start at {@link
 * dev.semel.server.backup.BackupMaker}; {@link dev.semel.server.backup.BackupFolder} names a copy
 * once it is complete.
 */
@NullMarked
package dev.semel.server.backup;

import org.jspecify.annotations.NullMarked;
