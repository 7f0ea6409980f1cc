package dev.semel.spring;

import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Request;
import dev.semel.idempotency.Work;

/** Executes in a transaction of Spring, so that effect and record commit together. */
interface SameTransaction {
  <T> Outcome<T> execute(Request<T> request, Work<T, Exception> work) throws Exception;
}
