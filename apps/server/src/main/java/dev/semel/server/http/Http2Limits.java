package dev.semel.server.http;

import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import java.util.concurrent.TimeUnit;

/** What one connection of HTTP/2 may cost. */
public final class Http2Limits {
  /** Requests, readers among them, at a time. */
  public static final int STREAMS = 100;

  /** Bytes of one request's body, and of all of a connection's, that nobody has taken yet. */
  public static final int WINDOW_BYTES = 65_535;

  /** Requests that may be begun and called off, in {@link #RESET_SECONDS} seconds. */
  public static final int RESETS = 200;

  public static final int RESET_SECONDS = 30;

  /** Pieces of nearly nothing that headers may come in. */
  public static final int SMALL_CONTINUATIONS = 16;

  private Http2Limits() {}

  /**
   * Sets them.
   *
   * @param maxHeaderBytes all headers of a request together
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
