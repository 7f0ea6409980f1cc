/** Example programs, one per package, and the code that they share. */
@NullMarked
package dev.semel.example;

import org.jspecify.annotations.NullMarked;
