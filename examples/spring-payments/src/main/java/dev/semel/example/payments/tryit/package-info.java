/** For trying the application on a machine that has nothing; no part of it. */
@NullMarked
package dev.semel.example.payments.tryit;

import org.jspecify.annotations.NullMarked;
