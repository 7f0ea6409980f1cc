/**
 * The starter's internals: Spring's transactions, measurements, and explanations of start failures.
 * It may change in any version.
 */
@NullMarked
package dev.semel.spring.internal;

import org.jspecify.annotations.NullMarked;
