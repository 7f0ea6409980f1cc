/** How the stream client sends HTTP requests and batches. It may change in any version. */
@NullMarked
package dev.semel.stream.client.internal;

import org.jspecify.annotations.NullMarked;
