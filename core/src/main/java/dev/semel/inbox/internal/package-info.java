/** How a consumer logs failures. */
@NullMarked
package dev.semel.inbox.internal;

import org.jspecify.annotations.NullMarked;
