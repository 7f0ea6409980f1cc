/**
 * The {@code semel} command: reads flags, environment and {@code semel.yaml}, calls {@link
 * dev.semel.admin.ControlCenter} or {@link dev.semel.idempotency.Idempotency}, and renders what
 * they say.
 *
 * <p>Invariant: no decision is made here. With {@code -o json} standard output holds JSON and
 * nothing else; text from outside is printed only through {@link dev.semel.internal.PrintableText};
 * every failure ends in one of the codes of {@link dev.semel.cli.ExitCode} and never in a stack
 * trace.
 *
 * <p>Start at {@link dev.semel.cli.SemelCommand}, which puts the commands together; {@link
 * dev.semel.cli.ControlCenters} decides whether a store is opened here or a server is asked, {@link
 * dev.semel.cli.StoreUrls} is where a store's URL becomes an opened store, and {@link
 * dev.semel.cli.RunCommand} the one command that executes something.
 */
@NullMarked
package dev.semel.cli;

import org.jspecify.annotations.NullMarked;
