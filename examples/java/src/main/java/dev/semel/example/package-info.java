/** Programs to run and to copy from, one in each package; here is what they share. */
@NullMarked
package dev.semel.example;

import org.jspecify.annotations.NullMarked;
