/**
 * Kills, freezes and disconnects processes, with harnesses for tests that do so. Start at {@link
 * dev.semel.proof.fault.ProcessFault}.
 */
@NullMarked
package dev.semel.proof.fault;

import org.jspecify.annotations.NullMarked;
