/** How a consumer reports what goes wrong. */
@NullMarked
package dev.semel.inbox.internal;

import org.jspecify.annotations.NullMarked;
