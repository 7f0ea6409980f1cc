/**
 * The {@code semel} command: reads flags, environment and {@code semel.yaml}, calls {@link
 * dev.semel.admin.ControlCenter} or {@link dev.semel.idempotency.Idempotency}, and renders the
 * result.
 *
 * <p>Invariant: no decision is made here. With {@code -o json} standard output holds JSON and
 * nothing else; text from outside is printed only through {@link dev.semel.internal.PrintableText};
 * every failure ends in one of the codes of {@link dev.semel.cli.ExitCode} and never in a stack
 * trace.
 *
 * <p>Start at {@link dev.semel.cli.SemelCommand}, which has the table of commands. {@link
 * dev.semel.cli.connect.ControlCenters} decides whether this process opens a store or asks a
 * server, {@link dev.semel.cli.connect.StoreUrls} opens stores by their URL, and {@link
 * dev.semel.cli.run.RunCommand} is the one command that executes something.
 */
@NullMarked
package dev.semel.cli;

import org.jspecify.annotations.NullMarked;
