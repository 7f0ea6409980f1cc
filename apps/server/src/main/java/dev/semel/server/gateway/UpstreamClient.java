package dev.semel.server.gateway;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

/** Calls the upstream. All event loops share its connections. */
final class UpstreamClient {
  /** The idle timeout is longer by this, so that the timeout of a request ends it first. */
  private static final long IDLE_MARGIN_MILLIS = 5_000;

  private final Upstream upstream;
  private final GatewayLimits limits;
  private final HttpClientAgent client;

  /**
   * When each used connection became free, by the monotonic clock. Its keys are weak: an answer may
   * end after its connection was closed, when no event would remove the entry.
   */
  private final Map<HttpConnection, Long> freeSince =
      Collections.synchronizedMap(new WeakHashMap<>());

  UpstreamClient(Vertx vertx, GatewaySettings settings) {
    this.upstream = settings.upstream();
    this.limits = settings.limits();
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(upstream.tls())
            .setTcpNoDelay(true)
            .setKeepAliveTimeout(Math.toIntExact(limits.keepAlive().toSeconds()))
            .setConnectTimeout(Math.toIntExact(limits.connectTimeout().toMillis()))
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setIdleTimeout(Math.toIntExact(limits.timeout().toMillis() + IDLE_MARGIN_MILLIS))
            .setMaxHeaderSize(settings.maxHeaderBytes())
            .setMaxInitialLineLength(settings.maxHeaderBytes());
    upstream
        .authorities()
        .ifPresent(
            pem -> options.setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(pem))));
    this.client =
        vertx.createHttpClient(
            options,
            new PoolOptions()
                .setHttp1MaxSize(limits.connections())
                .setMaxWaitQueueSize(limits.queue()));
  }

  GatewayLimits limits() {
    return limits;
  }

  /**
   * Gets a connection, on the caller's event loop. It sends nothing, so that after a failure
   * nothing was sent.
   */
  Future<HttpClientRequest> connect(HttpMethod method, String uri, MultiMap headers) {
    return connect(
        new RequestOptions()
            .setMethod(method)
            .setServer(SocketAddress.inetSocketAddress(upstream.port(), upstream.host()))
            .setHost(upstream.host())
            .setPort(upstream.port())
            .setSsl(upstream.tls())
            .setURI(uri)
            .setFollowRedirects(false)
            .setConnectTimeout(limits.connectTimeout().toMillis())
            .setHeaders(headers));
  }

  /**
   * The pool keeps a connection as long as the service allows. A request at the end of that time
   * would cross the service's close and be in doubt, so our own limit applies.
   */
  private Future<HttpClientRequest> connect(RequestOptions options) {
    return request(options)
        .compose(
            ready -> {
              Long free = freeSince.get(ready.connection());
              if (free == null || System.nanoTime() - free < limits.keepAlive().toNanos()) {
                return Future.succeededFuture(ready);
              }
              ready.connection().close();
              return connect(options);
            });
  }

  /** A closed client throws; then nothing was sent, either. */
  private Future<HttpClientRequest> request(RequestOptions options) {
    try {
      // The sender learns the result from the answer. Our own reset is no news, but Vert.x would
      // log it as an error.
      return client.request(options).onSuccess(UpstreamClient::quiet);
    } catch (IllegalStateException e) {
      return Future.failedFuture(e);
    }
  }

  private static void quiet(HttpClientRequest ready) {
    ready.exceptionHandler(known -> {});
    ready.response().onSuccess(answer -> answer.exceptionHandler(known -> {}));
  }

  /** Marks the connection as free, because the answer to this request has ended. */
  void ended(HttpClientRequest call) {
    freeSince.put(call.connection(), System.nanoTime());
  }

  Future<Void> close() {
    return client.close();
  }
}
