/**
 * Runs that can be repeated exactly: virtual time, one thread at a time in an order that a seed
 * decides, and faults at every call of a store. What runs is the real executor; only the machine
 * under it and the network before its store are simulated.
 */
@NullMarked
package dev.semel.proof.simulation;

import org.jspecify.annotations.NullMarked;
