package dev.semel.server.subscription.internal.http;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.subscription.SubscriptionLimits;
import dev.semel.server.subscription.SubscriptionSettings;
import dev.semel.server.subscription.internal.rules.SigningKey;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends webhooks. Each goes to an address that was checked a moment before, whatever its name
 * stands for by now, and to nowhere else: redirects are not followed. That is why it does not share
 * the JDK's client with {@link dev.semel.webhook.WebhookSender}: that client resolves a name again
 * when it connects.
 */
public final class WebhookClient {
  /** Connections to one receiver at a time. */
  private static final int CONNECTIONS = 16;

  /** Shorter than receivers usually wait, so that none closes while we send. */
  private static final int KEEP_ALIVE_SECONDS = 4;

  private final Vertx vertx;
  private final Context context;
  private final SubscriptionSettings settings;
  private final WebhookOutlet.Resolver resolver;
  private final HttpClient client;

  public WebhookClient(
      Vertx vertx, Context context, SubscriptionSettings settings, WebhookOutlet outlet) {
    this.vertx = vertx;
    this.context = context;
    this.settings = settings;
    this.resolver = outlet.resolver();
    SubscriptionLimits limits = settings.limits();
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions(outlet.options())
                .setConnectTimeout(Math.toIntExact(limits.connectTimeout().toMillis()))
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS),
            new PoolOptions()
                .setHttp1MaxSize(CONNECTIONS)
                .setMaxWaitQueueSize(limits.deliveries()));
  }

  /**
   * Sends a webhook.
   *
   * @return whether the receiver is done with it; fails unless the receiver accepted it
   */
  public Future<Boolean> post(String url, byte[] body, SigningKey key, Duration timeout) {
    Exchange exchange = new Exchange();
    long timer = vertx.setTimer(timeout.toMillis(), fired -> exchange.giveUp());
    context
        .executeBlocking(() -> Optional.of(options(url, key.header(body, now()))), false)
        .compose(
            options ->
                options == null
                    ? Future.failedFuture("no way to the receiver")
                    : client.request(options.get()))
        .onComplete(request -> exchange.send(request, Buffer.buffer(body)), exchange::fail);
    return exchange.outcome().onComplete(done -> vertx.cancelTimer(timer));
  }

  /** The time of day, because receivers compare it with their clock. */
  private static long now() {
    return System.currentTimeMillis() / 1000;
  }

  /** Runs on a worker thread, because signing takes a millisecond and DNS may take seconds. */
  private RequestOptions options(String text, String signature) throws UnknownHostException {
    boolean loopback = settings.loopbackWebhooks(); // what is allowed may have changed since
    WebhookUrl url = WebhookUrl.parse(text, loopback);
    return options(url, url.choose(resolver.resolve(url.host()), loopback), signature);
  }

  private static RequestOptions options(WebhookUrl url, InetAddress address, String signature) {
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setServer(SocketAddress.inetSocketAddress(new InetSocketAddress(address, url.port())))
        .setHost(url.host())
        .setPort(url.port())
        .setSsl(url.tls())
        .setURI(url.target())
        .setFollowRedirects(false)
        .putHeader("content-type", "application/json")
        .putHeader("webhook-signature", signature);
  }

  public void close() {
    client.close();
  }

  /** One request and its result. */
  private final class Exchange {
    private final Promise<Boolean> outcome = Promise.promise();
    private Optional<HttpClientRequest> request = Optional.empty();

    Future<Boolean> outcome() {
      return outcome.future();
    }

    void send(HttpClientRequest ready, Buffer body) {
      request = Optional.of(ready);
      ready.exceptionHandler(this::fail); // also for a reset, which Vert.x would log
      if (outcome.future().isComplete()) {
        ready.reset(); // the connection came too late
        return;
      }
      ready.send(body).onComplete(this::read, this::fail);
    }

    private void read(HttpClientResponse response) {
      response.exceptionHandler(this::fail);
      if (response.statusCode() / 100 != 2) {
        outcome.tryFail(new StoreException("the receiver answered with " + response.statusCode()));
        request.ifPresent(HttpClientRequest::reset);
        return;
      }
      Buffer body = Buffer.buffer();
      response.endHandler(end -> outcome.tryComplete(saysDone(body)));
      response.handler(
          part -> {
            if (body.length() + part.length() > settings.limits().responseBytes()) {
              outcome.tryComplete(false); // accepted; an answer that says done is shorter
              request.ifPresent(HttpClientRequest::reset);
            } else {
              body.appendBuffer(part);
            }
          });
    }

    void fail(Throwable failure) {
      outcome.tryFail(failure);
    }

    void giveUp() {
      outcome.tryFail(new StoreException("the receiver did not answer in time"));
      request.ifPresent(HttpClientRequest::reset);
    }
  }

  private static boolean saysDone(Buffer body) {
    try {
      return body.length() > 0
          && Json.parse(body.getBytes()) instanceof JsonObject o
          && o.get("done").equals(Optional.of(new JsonBoolean(true)));
    } catch (InvalidInput e) {
      return false; // any other answer only means that it was accepted
    }
  }
}
