/**
 * The engines that belong to one process: {@code dev.semel.stream.LocalStreams} orders the steps;
 * memory and journal differ in their {@code StreamStorage}.
 */
@NullMarked
package dev.semel.stream.internal.local;

import org.jspecify.annotations.NullMarked;
