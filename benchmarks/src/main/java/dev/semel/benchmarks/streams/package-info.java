/**
 * The stream server under external load, against a handler that does nothing and the public Node
 * server. Each server is a separate process; all run in turns under the same load.
 */
@NullMarked
package dev.semel.benchmarks.streams;

import org.jspecify.annotations.NullMarked;
