package dev.semel.webhook;

import dev.semel.alert.Alert;
import dev.semel.event.EventLine;
import dev.semel.http.client.ClientResult;
import dev.semel.http.client.ClientSettings;
import dev.semel.http.client.IdempotentClient;
import dev.semel.internal.DurationText;
import dev.semel.log.internal.Log;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.loop.internal.Loop;
import dev.semel.net.internal.HttpSender;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Sends alerts and events to one webhook, one message at a time, alerts first, on its own thread. A
 * message that gets no answer, or an answer that asks for a retry (408, 425, 429, 5xx), is sent
 * again with the same id and body until the receiver accepts it or it is too old. Redirects are not
 * followed. Safe for use by many threads.
 *
 * <p>A receiver may get a message more than once, and must drop duplicates by id. Messages that
 * wait when the process ends are not sent.
 */
public final class WebhookSender implements AutoCloseable {
  /** The header with the signature. */
  public static final String SIGNATURE = "Webhook-Signature";

  /** Limit for an answer's body; only the status is used. */
  private static final int MAX_ANSWER_BYTES = 1 << 20;

  private static final Log LOG = Log.of("webhook", 1);

  private static final int OK = 200;
  private static final int REDIRECT = 300;

  private final Platform platform;
  private final Webhook webhook;
  private final WebhookSettings settings;
  private final HttpSender http;
  private final IdempotentClient client;
  private final Queue<WebhookDelivery> alerts;
  private final Queue<WebhookDelivery> events;
  private final LongAdder delivered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder overflowed = new LongAdder();
  private final Loop loop;

  // Only touched by the loop's thread.
  private @Nullable WebhookDelivery current;
  private Backoff backoff;
  private long notBefore;

  private WebhookSender(Platform platform, Webhook webhook, WebhookSettings settings) {
    this.platform = platform;
    this.webhook = webhook;
    this.settings = settings;
    this.http = HttpSender.open(settings.timeout(), Optional.empty());
    this.client = new IdempotentClient(http.client(), once(settings));
    this.alerts = new ArrayBlockingQueue<>(settings.maxWaiting());
    this.events = new ArrayBlockingQueue<>(settings.maxWaiting());
    this.backoff = backoff();
    this.notBefore = platform.nanos();
    this.loop = Loop.startTimed(platform, "semel-webhook", this::turn, settings.longestPause());
  }

  public static WebhookSender start(Platform platform, Webhook webhook, WebhookSettings settings) {
    return new WebhookSender(platform, webhook, settings);
  }

  /**
   * One try per call, so that each try is signed with its own time and the loop waits between
   * tries.
   */
  private static ClientSettings once(WebhookSettings settings) {
    return ClientSettings.defaults()
        .withMaxTries(1)
        .withDeadline(settings.timeout())
        .withTryTimeout(settings.timeout())
        .withMaxResponseBytes(MAX_ANSWER_BYTES);
  }

  /** Queues an alert, as {@link dev.semel.alert.AlertWatch} reports it. Never blocks. */
  public void tell(Alert alert) {
    offer(alerts, WebhookDelivery.of(alert, platform.nanos()));
  }

  /** Queues an event. Never blocks. */
  public void tell(EventLine line) {
    offer(events, WebhookDelivery.of(line, platform.nanos()));
  }

  private void offer(Queue<WebhookDelivery> queue, WebhookDelivery delivery) {
    if (queue.offer(delivery)) {
      loop.wake();
    } else {
      overflowed.increment();
      warn("was left out, because %d wait".formatted(settings.maxWaiting()));
    }
  }

  private long turn() {
    WebhookDelivery next = current == null ? next() : current;
    current = next;
    if (next == null) {
      return Long.MAX_VALUE;
    }
    long pause = notBefore - platform.nanos();
    if (pause > 0) {
      return pause; // woken by a new message; the pause still holds
    }
    if (platform.nanos() - next.since() > settings.giveUpAfter().toNanos()) {
      lost.increment();
      warn("was given up after " + DurationText.brief(settings.giveUpAfter()));
      return done();
    }
    return switch (client.send(request(next), next.id())) {
      case ClientResult.Executed e -> answered(e.answer().statusCode());
      case ClientResult.Replayed e -> answered(e.answer().statusCode());
      case ClientResult.InDoubt e -> answered(e.answer().statusCode());
      case ClientResult.Refused e -> answered(e.answer().statusCode());
      case ClientResult.GaveUp e -> {
        failed.increment();
        warn("was not taken and will be sent again: " + e.reason());
        long again = Math.max(backoff.nextNanos(), asked(e));
        notBefore = platform.nanos() + again;
        yield again;
      }
    };
  }

  private @Nullable WebhookDelivery next() {
    WebhookDelivery alert = alerts.poll();
    return alert == null ? events.poll() : alert;
  }

  /** A redirect counts as a refusal. */
  private long answered(int status) {
    if (status >= OK && status < REDIRECT) {
      delivered.increment();
    } else {
      refused.increment();
      warn("was refused with status " + status);
    }
    return done();
  }

  private void warn(String what) {
    LOG.warn(toString(), "a message to the webhook %s %s".formatted(this, what));
  }

  private long done() {
    current = null;
    backoff = backoff();
    notBefore = platform.nanos();
    return 0;
  }

  private Backoff backoff() {
    return new Backoff(platform, settings.firstPause(), settings.longestPause());
  }

  private long asked(ClientResult.GaveUp gaveUp) {
    Duration asked = gaveUp.retryAfter(platform.clock().instant());
    return Math.min(asked.toNanos(), settings.longestPause().toNanos());
  }

  private HttpRequest request(WebhookDelivery delivery) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(webhook.url())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(delivery.body()));
    webhook
        .signature(platform.clock().instant().getEpochSecond(), delivery.body())
        .ifPresent(signature -> request.header(SIGNATURE, signature));
    return request.build();
  }

  public WebhookCounts counts() {
    return new WebhookCounts(
        delivered.sum(),
        failed.sum(),
        refused.sum(),
        lost.sum(),
        overflowed.sum(),
        alerts.size() + events.size());
  }

  /** Waits for the try in progress, within its timeout. */
  @Override
  public void close() {
    loop.close();
    http.close();
  }

  @Override
  public String toString() {
    return webhook.toString();
  }
}
