package dev.semel.http;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.http.internal.BodyKey;
import dev.semel.http.internal.HttpResponses;
import dev.semel.http.internal.RequestHandling;
import dev.semel.http.spi.BodyDecision;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpAnswer;
import dev.semel.http.spi.HttpRequest;
import dev.semel.http.spi.HttpResponse;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.KeyStrategies;
import dev.semel.idempotency.KeyStrategy;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.StoredFailure;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.Work;
import dev.semel.internal.Ids;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Guards HTTP requests in any server, in three steps: {@link #look} at the head, {@link #read} the
 * body, {@link #execute}. The first two only decide. Safe for use by many threads.
 *
 * <p>After a crash, the retry gets the answer that {@link GuardedExecutor} gives: in doubt; or, in
 * same-transaction mode, it runs because nothing happened.
 */
public final class HttpIdempotency {
  /** Handlers mostly end long before their lease, so waiting for the lease would take too long. */
  static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(2);

  private static final KeyStrategy<String> IDS = KeyStrategies.own(id -> id, id -> {});

  private final GuardedExecutor once;
  private final HttpRules rules;
  private final TimingListener timings;

  public HttpIdempotency(GuardedExecutor once, HttpRules rules) {
    this(once, rules, TimingListener.NONE);
  }

  private HttpIdempotency(GuardedExecutor once, HttpRules rules, TimingListener timings) {
    this.once = once;
    this.rules = rules;
    this.timings = timings;
  }

  /**
   * A copy whose timings also go to this listener: how long a request's key and fingerprint take.
   */
  public HttpIdempotency with(TimingListener others) {
    return new HttpIdempotency(once, rules, others);
  }

  public HttpRules rules() {
    return rules;
  }

  /** Decides from the head alone. */
  public HeadDecision look(HttpRequest head) {
    if (!rules.methods().contains(head.method())) {
      return new HeadDecision.Pass();
    }
    if (!(rules.keySource() instanceof KeySource.Header header)) {
      return needsBody(head, "");
    }
    List<String> lines = head.headers().apply(header.name());
    try {
      if (lines.size() > 1) {
        throw new InvalidInput("there are %d of them: send one".formatted(lines.size()));
      }
      if (!lines.isEmpty()) {
        return needsBody(head, header.syntax().parse(lines.get(0)));
      }
    } catch (InvalidInput e) {
      return new HeadDecision.Refused(
          refused(HttpRefusal.KEY_INVALID, header.name() + ": " + e.getMessage(), List.of()));
    }
    return switch (rules.keyRule()) {
      case REQUIRED -> new HeadDecision.Refused(keyMissing("send the header " + header.name()));
      case OPTIONAL -> new HeadDecision.Pass();
      case GENERATED -> needsBody(head, Ids.uuid7().toString());
    };
  }

  private HeadDecision needsBody(HttpRequest head, String key) {
    return new HeadDecision.NeedsBody(head, key, rules.maxRequestBytes());
  }

  /** The answer to a request whose body is longer than {@link HeadDecision.NeedsBody#maxBytes}. */
  public HttpAnswer tooLarge() {
    return refused(
        HttpRefusal.REQUEST_TOO_LARGE,
        "a request with a key may have %d bytes: send less, or leave the key out if it may be repeated"
            .formatted(rules.maxRequestBytes()),
        List.of());
  }

  /** Decides from the whole request. */
  public BodyDecision read(HeadDecision.NeedsBody look, byte[] body) {
    long started = System.nanoTime();
    BodyDecision read = decide(look, body);
    if (read instanceof BodyDecision.Ready) {
      timings.keyMade(rules.operation(), Duration.ofNanos(System.nanoTime() - started));
    }
    return read;
  }

  private BodyDecision decide(HeadDecision.NeedsBody look, byte[] body) {
    HttpRequest head = look.head();
    List<Fingerprint> fingerprints;
    try {
      fingerprints = rules.body().scoped(bytes -> head.scope(rules.fingerprintHeaders())).of(body);
    } catch (InvalidInput e) {
      return unreadable("requests are compared by what they hold: " + e.getMessage());
    }
    try {
      String key = look.key().isEmpty() ? keyIn(body, fingerprints).orElse("") : look.key();
      if (key.isEmpty()) {
        return switch (rules.keyRule()) {
          case REQUIRED -> new BodyDecision.Refused(keyMissing("send " + expected()));
          case OPTIONAL -> new BodyDecision.Pass();
          case GENERATED -> ready(head, Ids.uuid7().toString(), fingerprints);
        };
      }
      return ready(head, key, fingerprints);
    } catch (BodyKey.Unreadable e) {
      return unreadable(String.valueOf(e.getMessage()));
    } catch (InvalidInput e) {
      return new BodyDecision.Refused(
          refused(HttpRefusal.KEY_INVALID, String.valueOf(e.getMessage()), List.of()));
    }
  }

  private BodyDecision unreadable(String detail) {
    return new BodyDecision.Refused(refused(HttpRefusal.BODY_UNREADABLE, detail, List.of()));
  }

  private BodyDecision ready(HttpRequest head, String key, List<Fingerprint> fingerprints) {
    Key whole = new Key(head.tenant(), rules.operation(), IDS.keying(key).id());
    ExecutionRequest<HttpResponse> request =
        ExecutionRequest.of(whole, HttpResponses.CODEC)
            .withFingerprints(fingerprints)
            .withPolicy(rules.policy());
    return new BodyDecision.Ready(
        new GuardedRequest(request, List.of(echo(key), retention(rules.policy().retention()))));
  }

  /** The key when the header has none. */
  private Optional<String> keyIn(byte[] body, List<Fingerprint> fingerprints) {
    return switch (rules.keySource()) {
      case KeySource.Header h -> Optional.empty();
      case KeySource.Body b -> BodyKey.in(body, b.pointer());
      case KeySource.Content c ->
          Optional.of(Ids.sha256Hex(fingerprints.get(0).text().getBytes(StandardCharsets.UTF_8)));
    };
  }

  private String expected() {
    return switch (rules.keySource()) {
      case KeySource.Header h -> "the header " + h.name();
      case KeySource.Body b -> "an id in the body at " + b.pointer();
      case KeySource.Content c -> "a body";
    };
  }

  /** Names the key in the answer, in the header that the client has to send. */
  private HttpHeader echo(String key) {
    return rules.keySource() instanceof KeySource.Header header
        ? new HttpHeader(header.name(), header.syntax().write(key))
        : new HttpHeader(HttpHeader.KEY, ascii(key));
  }

  /** Ids in bodies may hold any character, but a header may not. */
  private static String ascii(String key) {
    StringBuilder out = new StringBuilder(key.length());
    key.codePoints()
        .forEach(
            c -> {
              if (c < ' ' || c > '~') {
                out.append("\\u%04x".formatted(c));
              } else {
                out.append((char) c);
              }
            });
    return out.toString();
  }

  private static HttpHeader retention(Duration left) {
    return new HttpHeader(HttpHeader.RETENTION, Long.toString(Math.max(0, left.toSeconds())));
  }

  /**
   * Runs the handler unless it ran before. The handler's exception passes through to the caller,
   * and the key is released. If the handler can't tell whether it took effect, it must throw {@link
   * dev.semel.idempotency.EffectUnknown}.
   */
  public <X extends Exception> HttpAnswer execute(
      GuardedRequest guarded, Work<HttpResponse, X> handler) throws X {
    RequestHandling<X> handling = new RequestHandling<>(handler, rules);
    Outcome<HttpResponse> outcome;
    try {
      outcome = once.execute(guarded.request(), handling);
    } catch (RequestHandling.NotKept e) {
      return executed(handling, forgotten(guarded));
    } catch (StoreException e) {
      if (handling.threw(e)) {
        throw e;
      }
      return handling.began()
          ? tryAgain("whether this was done can't be found out now")
          : tryAgain("whether this was done before can't be found out now, so it was not done");
    }
    return answer(guarded, handling, outcome);
  }

  /**
   * The answer to a request that the server has to give up for a temporary reason, such as a
   * handler that can't run again now.
   */
  public HttpAnswer tryAgain(String why) {
    return refused(
        HttpRefusal.STORE_AWAY,
        why + ": send it again in a moment, with the same key",
        retryAfter(LONGEST_RETRY_AFTER));
  }

  private static HttpAnswer executed(RequestHandling<?> handling, List<HttpHeader> added) {
    return new HttpAnswer(HttpAnswer.Kind.EXECUTED, handling.response().orElseThrow(), added);
  }

  /** Only the key's name: nothing promises that the answer is kept. */
  private static List<HttpHeader> forgotten(GuardedRequest guarded) {
    return guarded.added().subList(0, 1);
  }

  private HttpAnswer answer(
      GuardedRequest guarded, RequestHandling<?> handling, Outcome<HttpResponse> outcome) {
    HttpHeader key = guarded.added().get(0);
    return switch (outcome) {
      case Outcome.Executed<HttpResponse> e -> executed(handling, added(guarded, e));
      case Outcome.Replayed<HttpResponse> r -> {
        List<HttpHeader> added = new ArrayList<>(List.of(key));
        added.add(retention(r.original().retentionLeft()));
        added.addAll(rules.profile().replayed());
        yield new HttpAnswer(HttpAnswer.Kind.REPLAYED, r.result(), added);
      }
      case Outcome.InFlight<HttpResponse> f -> {
        List<HttpHeader> added = new ArrayList<>(retryAfter(f.left()));
        added.add(key);
        yield refused(
            HttpRefusal.IN_FLIGHT,
            "the first request with this key is still at work: send this one again in a moment, with the same key",
            added);
      }
      case Outcome.Mismatch<HttpResponse> m ->
          refused(
              HttpRefusal.MISMATCH,
              "this key was used for another request: send a new key, or the request as it was",
              List.of(key));
      case Outcome.InDoubt<HttpResponse> d ->
          refused(
              HttpRefusal.IN_DOUBT,
              "the first request with this key ended without a word, and may or may not have taken effect: find out before you send it with a new key",
              List.of(key));
      case Outcome.Failed<HttpResponse> f -> failed(f, key);
    };
  }

  private static List<HttpHeader> added(
      GuardedRequest guarded, Outcome.Executed<HttpResponse> executed) {
    if (executed.recorded()) {
      return guarded.added();
    }
    boolean unguarded = executed.attempt() == 0;
    if (unguarded) {
      return forgotten(guarded);
    }
    List<HttpHeader> added = new ArrayList<>(forgotten(guarded));
    added.add(new HttpHeader(HttpHeader.RECORDED, "false"));
    return added;
  }

  private HttpAnswer failed(Outcome.Failed<HttpResponse> failed, HttpHeader key) {
    boolean done = failed.failure().kind().equals(StoredFailure.RESPONSE_NOT_KEPT);
    return done
        ? refused(
            HttpRefusal.NOT_REPLAYABLE,
            "the first request with this key was done, but its answer was streamed or too large to be kept: it can't be repeated",
            List.of(key))
        : refused(
            HttpRefusal.FAILED,
            "the first request with this key failed for good: sending it again changes nothing",
            List.of(key));
  }

  private HttpAnswer keyMissing(String advice) {
    return refused(
        HttpRefusal.KEY_MISSING,
        "this request must carry a key, so that it is done once however often it is sent: "
            + advice,
        List.of());
  }

  private HttpAnswer refused(HttpRefusal refusal, String detail, List<HttpHeader> added) {
    return HttpAnswer.refused(rules.profile(), refusal, detail, added);
  }

  private static List<HttpHeader> retryAfter(Duration left) {
    Duration wait = left.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : left;
    long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
    return List.of(new HttpHeader(HttpHeader.RETRY_AFTER, Long.toString(seconds)));
  }
}
