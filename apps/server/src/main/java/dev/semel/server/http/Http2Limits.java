package dev.semel.server.http;

import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/** Limits of one HTTP/2 connection. */
public final class Http2Limits {
  /** Concurrent requests, including readers. */
  public static final int STREAMS = 100;

  /**
   * Flow-control window: bytes not taken yet, of one request's body and of all bodies of a
   * connection.
   */
  public static final int WINDOW_BYTES = 65_535;

  /** Requests that a caller may begin and cancel within {@link #RESET_SECONDS} seconds. */
  public static final int RESETS = 200;

  public static final int RESET_SECONDS = 30;

  /** Nearly empty pieces in which headers may come. */
  public static final int SMALL_CONTINUATIONS = 16;

  private Http2Limits() {}

  /**
   * Sets the limits.
   *
   * @param maxHeaderBytes of all headers of a request together
   */
  public static HttpServerOptions apply(HttpServerOptions options, int maxHeaderBytes) {
    return options
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(STREAMS)
                .setInitialWindowSize(WINDOW_BYTES)
                .setMaxHeaderListSize(maxHeaderBytes))
        .setHttp2ConnectionWindowSize(WINDOW_BYTES)
        .setHttp2RstFloodMaxRstFramePerWindow(RESETS)
        .setHttp2RstFloodWindowDuration(RESET_SECONDS)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setHttp2MaxSmallContinuationFrames(SMALL_CONTINUATIONS);
  }
}
