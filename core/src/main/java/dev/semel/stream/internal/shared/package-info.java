/**
 * The engine on a log that several servers share: {@link
 * dev.semel.stream.internal.shared.SharedWriter} writes one message per path, {@link
 * dev.semel.stream.internal.shared.SharedState} applies what all servers read.
 */
@NullMarked
package dev.semel.stream.internal.shared;

import org.jspecify.annotations.NullMarked;
