/** How the stream client speaks HTTP and sends batches. It may change in any version. */
@NullMarked
package dev.semel.stream.client.internal;

import org.jspecify.annotations.NullMarked;
