/** How the tests of all modules run. */
@NullMarked
package dev.semel.junit;

import org.jspecify.annotations.NullMarked;
