/**
 * How the starter works: what joins Spring's transactions, measures, and explains failures at the
 * start. It may change in any version.
 */
@NullMarked
package dev.semel.spring.internal;

import org.jspecify.annotations.NullMarked;
