/**
 * What every route needs of HTTP: header names, the request's target taken apart strictly, and
 * errors as problem documents. Knows nothing of streams.
 */
@NullMarked
package dev.semel.server.http;

import org.jspecify.annotations.NullMarked;
