/**
 * Copies of what a server keeps in files, made while it is used. Start at {@link
 * dev.semel.server.backup.BackupMaker}; a copy gets its name from {@link
 * dev.semel.server.backup.BackupFolder} once it is whole.
 */
@NullMarked
package dev.semel.server.backup;

import org.jspecify.annotations.NullMarked;
