/**
 * The stream server under load from outside, beside a handler that does nothing and the public Node
 * server. Each server is a process of its own; all take turns under the same load.
 */
@NullMarked
package dev.semel.benchmarks.streams;

import org.jspecify.annotations.NullMarked;
