/**
 * Runs that can be repeated exactly: virtual time, one thread at a time in an order that a seed
 * decides, and faults at every call of a store. The executor is the real one; only the machine
 * below it and the network before its store are simulated.
 */
@NullMarked
package dev.semel.proof.simulation;

import org.jspecify.annotations.NullMarked;
