package dev.semel.stream.client;

import dev.semel.InvalidInput;
import dev.semel.json.internal.JsonScanner;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.internal.HttpReply;
import dev.semel.stream.client.internal.HttpWire;
import dev.semel.stream.client.internal.StreamCalls;
import dev.semel.stream.spi.StreamExpiry;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Optional;

/**
 * A handle to one stream on a server: creates, appends, reads, closes and deletes it. Safe for use
 * by many threads.
 *
 * <p>Calls block until their answer: use virtual threads for concurrency. Each call sends one
 * request and repeats nothing. A {@link StreamRefused} means that nothing was done; after any other
 * {@link dev.semel.StoreException} of a call that changes something, whether it took effect is
 * unknown. Offsets are text that only the server understands.
 */
public final class DurableStream {
  private final StreamCalls calls;

  /** A stream's type never changes, so it is learned once. */
  private volatile Optional<ContentType> type;

  DurableStream(StreamCalls calls, Optional<ContentType> type) {
    this.calls = calls;
    this.type = type;
  }

  /** The address of the stream. */
  public URI url() {
    return calls.url();
  }

  /** A handle to the same stream with a known type, which saves a request for it. */
  public DurableStream as(ContentType known) {
    return new DurableStream(calls, Optional.of(known));
  }

  /** Asks the server for the type; fails if the stream does not exist. */
  public DurableStream connect() {
    return as(info().type());
  }

  StreamCalls calls() {
    return calls;
  }

  Optional<ContentType> known() {
    return type;
  }

  void learn(ContentType told) {
    type = Optional.of(told);
  }

  /** Asks the server unless the type is known. */
  ContentType type() {
    Optional<ContentType> known = type;
    return known.isPresent() ? known.get() : info().type();
  }

  /** Creates the stream; does nothing if it exists with the same settings. */
  public StreamInfo create(ContentType as) {
    return create(NewStream.of(as));
  }

  /**
   * Creates the stream with settings; the first body is written only if the stream did not exist.
   *
   * @throws StreamRefused it exists with another type or settings
   */
  public StreamInfo create(NewStream stream) {
    HttpRequest.Builder put =
        calls.request("").header("Content-Type", HttpWire.value("the type", stream.type().text()));
    switch (stream.expiry()) {
      case StreamExpiry.Never n -> {}
      case StreamExpiry.Idle i -> put.header("Stream-TTL", Long.toString(i.seconds()));
      case StreamExpiry.At a ->
          put.header("Stream-Expires-At", Instant.ofEpochMilli(a.epochMillis()).toString());
    }
    if (stream.closed()) {
      put.header("Stream-Closed", "true");
    }
    HttpReply reply = ask(put.PUT(body(stream.body())));
    learn(stream.type());
    return new StreamInfo(
        stream.type(), tail(reply), reply.isTrue("Stream-Closed"), stream.expiry());
  }

  /** Asks the server about the stream; this does not count as reading it. */
  public StreamInfo info() {
    HttpReply reply = ask(calls.request("").HEAD());
    try {
      Optional<String> ttl = reply.header("Stream-TTL");
      Optional<String> at = ttl.isPresent() ? Optional.empty() : reply.header("Stream-Expires-At");
      StreamInfo info =
          new StreamInfo(
              reply.type(),
              tail(reply),
              reply.isTrue("Stream-Closed"),
              StreamExpiry.parse(ttl, at));
      learn(info.type());
      return info;
    } catch (InvalidInput e) {
      throw new StreamGarbled(
          "%s describes the stream in a way that is not understood: %s"
              .formatted(reply.address(), e.getMessage()));
    }
  }

  /**
   * Appends one message. On a stream of JSON it is one JSON value, also when that is an array.
   *
   * @return the offset after it
   */
  public String append(byte[] message) {
    return tail(ask(post(message)));
  }

  /**
   * Appends one message, unless a sequence that is not below this one was appended before.
   *
   * @param sequence compared as text, byte by byte: write numbers with leading zeros
   */
  public String append(byte[] message, String sequence) {
    return tail(
        ask(post(message).header("Stream-Seq", HttpWire.value("the stream sequence", sequence))));
  }

  /**
   * Appends one message if the stream still ends at this tail. Not every server of the protocol can
   * do this; Semel does.
   *
   * @throws StreamRefused {@link StreamRefused.Reason#TAIL_MOVED}: another writer was faster
   */
  public String appendIf(String tail, byte[] message) {
    return tail(ask(post(message).header("If-Match", quoted(tail))));
  }

  static String quoted(String tail) {
    return '"' + HttpWire.value("the offset", tail) + '"';
  }

  /** Appends a body as it is: on a JSON stream, each item of an array becomes a message. */
  public String appendBody(byte[] body) {
    return tail(ask(typed().POST(body(body))));
  }

  /** Closes the stream, so that nothing can be appended any more. Idempotent. */
  public String closeStream() {
    return tail(
        ask(calls.request("").header("Stream-Closed", "true").POST(BodyPublishers.noBody())));
  }

  /** Appends a last message and closes the stream in one step. */
  public String closeStream(byte[] last) {
    return tail(ask(post(last).header("Stream-Closed", "true")));
  }

  /** A reader of the stream; sends nothing yet. */
  public StreamReader read(ReadOptions options) {
    return new StreamReader(this, options);
  }

  /** Deletes the stream with its data. */
  public void delete() {
    ask(calls.request("").DELETE());
  }

  /** The request for an append of one message, to be completed. */
  HttpRequest.Builder post(byte[] message) {
    return typed().POST(body(type().json() ? array(message) : message));
  }

  private HttpRequest.Builder typed() {
    return calls.request("").header("Content-Type", type().text());
  }

  private static BodyPublisher body(byte[] bytes) {
    return bytes.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes);
  }

  /**
   * Servers split an array into its items, so a message that is an array needs another around it.
   */
  static byte[] array(byte[] message) {
    JsonScanner.elements(message); // anything but one value could become several messages
    byte[] array = new byte[message.length + 2];
    array[0] = '[';
    System.arraycopy(message, 0, array, 1, message.length);
    array[message.length + 1] = ']';
    return array;
  }

  private HttpReply ask(HttpRequest.Builder request) {
    HttpReply reply = calls.ask(request.build());
    if (!reply.ok()) {
      throw ServerRefusals.of(reply);
    }
    return reply;
  }

  static String tail(HttpReply reply) {
    return reply
        .header("Stream-Next-Offset")
        .orElseThrow(
            () ->
                new StreamGarbled(
                    "%s did not say where the stream ends: is it a server of streams?"
                        .formatted(reply.address())));
  }
}
