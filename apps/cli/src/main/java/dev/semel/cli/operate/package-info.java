/**
 * Commands for operators beside keys and messages: statistics, alerts, audit, advice, export,
 * backup, migration, configuration, doctor.
 */
@NullMarked
package dev.semel.cli.operate;

import org.jspecify.annotations.NullMarked;
