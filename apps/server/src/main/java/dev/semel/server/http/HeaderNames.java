package dev.semel.server.http;

import io.vertx.core.http.HttpHeaders;

/** Header names and values that never change, encoded once. */
public final class HeaderNames {
  public static final CharSequence STREAM_NEXT_OFFSET = name("Stream-Next-Offset");
  public static final CharSequence STREAM_UP_TO_DATE = name("Stream-Up-To-Date");
  public static final CharSequence STREAM_CURSOR = name("Stream-Cursor");
  public static final CharSequence STREAM_CLOSED = name("Stream-Closed");
  public static final CharSequence STREAM_SEQ = name("Stream-Seq");
  public static final CharSequence STREAM_TTL = name("Stream-TTL");
  public static final CharSequence STREAM_EXPIRES_AT = name("Stream-Expires-At");
  public static final CharSequence STREAM_FORKED_FROM = name("Stream-Forked-From");
  public static final CharSequence STREAM_FORK_OFFSET = name("Stream-Fork-Offset");
  public static final CharSequence STREAM_FORK_SUB_OFFSET = name("Stream-Fork-Sub-Offset");
  public static final CharSequence STREAM_SSE_DATA_ENCODING = name("Stream-SSE-Data-Encoding");

  public static final CharSequence PRODUCER_ID = name("Producer-Id");
  public static final CharSequence PRODUCER_EPOCH = name("Producer-Epoch");
  public static final CharSequence PRODUCER_SEQ = name("Producer-Seq");
  public static final CharSequence PRODUCER_EXPECTED_SEQ = name("Producer-Expected-Seq");
  public static final CharSequence PRODUCER_RECEIVED_SEQ = name("Producer-Received-Seq");

  public static final CharSequence X_PRODUCER_ID = name("X-Producer-Id");
  public static final CharSequence X_PRODUCER_EPOCH = name("X-Producer-Epoch");
  public static final CharSequence X_PRODUCER_SEQ = name("X-Producer-Seq");
  public static final CharSequence X_EXPECTED_SEQ = name("X-Expected-Seq");
  public static final CharSequence X_CURRENT_EPOCH = name("X-Current-Epoch");
  public static final CharSequence X_ERROR = name("X-Error");

  public static final CharSequence ALLOW = name("Allow");
  public static final CharSequence AUTHORIZATION = name("Authorization");
  public static final CharSequence CACHE_CONTROL = name("Cache-Control");
  public static final CharSequence CONNECTION = name("Connection");
  public static final CharSequence CONTENT_DISPOSITION = name("Content-Disposition");
  public static final CharSequence CONTENT_ENCODING = name("Content-Encoding");
  public static final CharSequence CONTENT_LENGTH = name("Content-Length");
  public static final CharSequence CONTENT_TYPE = name("Content-Type");
  public static final CharSequence ETAG = name("ETag");
  public static final CharSequence EXPECT = name("Expect");
  public static final CharSequence HOST = name("Host");
  public static final CharSequence IF_MATCH = name("If-Match");
  public static final CharSequence IF_NONE_MATCH = name("If-None-Match");
  public static final CharSequence LOCATION = name("Location");
  public static final CharSequence ORIGIN = name("Origin");
  public static final CharSequence RETRY_AFTER = name("Retry-After");
  public static final CharSequence TRANSFER_ENCODING = name("Transfer-Encoding");
  public static final CharSequence VARY = name("Vary");
  public static final CharSequence WWW_AUTHENTICATE = name("WWW-Authenticate");

  public static final CharSequence SECURITY_POLICY = name("Content-Security-Policy");
  public static final CharSequence CONTENT_TYPE_OPTIONS = name("X-Content-Type-Options");
  public static final CharSequence RESOURCE_POLICY = name("Cross-Origin-Resource-Policy");
  public static final CharSequence ALLOW_ORIGIN = name("Access-Control-Allow-Origin");
  public static final CharSequence ALLOW_METHODS = name("Access-Control-Allow-Methods");
  public static final CharSequence ALLOW_HEADERS = name("Access-Control-Allow-Headers");
  public static final CharSequence EXPOSE_HEADERS = name("Access-Control-Expose-Headers");
  public static final CharSequence MAX_AGE = name("Access-Control-Max-Age");

  public static final CharSequence TRUE = name("true");
  public static final CharSequence CLOSE = name("close");
  public static final CharSequence NO_STORE = name("no-store");
  public static final CharSequence JSON = name("application/json");

  private HeaderNames() {}

  /** Encodes a name or a value that is sent often. */
  public static CharSequence name(String text) {
    return HttpHeaders.createOptimized(text);
  }
}
