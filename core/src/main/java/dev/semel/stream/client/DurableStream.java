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
 * A stream on a server. Knows where it is, and what its type is once it was told. Safe for many
 * threads.
 *
 * <p>Calls wait for their answers: use virtual threads to do much at a time. Each sends one request
 * and repeats nothing. A {@link StreamRefused} says that nothing was done; any other {@link
 * dev.semel.StoreException} of a call that changes something leaves open whether it was. Offsets
 * are text that only the server understands.
 */
public final class DurableStream {
  private final StreamCalls calls;

  /** A stream's type never changes, so whoever learns it first tells all. */
  private volatile Optional<ContentType> type;

  DurableStream(StreamCalls calls, Optional<ContentType> type) {
    this.calls = calls;
    this.type = type;
  }

  /** Where the stream is. */
  public URI url() {
    return calls.url();
  }

  /** The same stream for one who knows its type, which otherwise must be asked for. */
  public DurableStream as(ContentType known) {
    return new DurableStream(calls, Optional.of(known));
  }

  /** Asks what the stream is and whether it is there at all. */
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

  /** Asks the server unless it is known. */
  ContentType type() {
    Optional<ContentType> known = type;
    return known.isPresent() ? known.get() : info().type();
  }

  /** Makes sure that the stream is there: one that is there already with the same settings is. */
  public StreamInfo create(ContentType as) {
    return create(NewStream.of(as));
  }

  /**
   * The same with settings. What the stream begins with is written only if it was not there.
   *
   * @throws StreamRefused it is there and different
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

  /** Asks about the stream, which does not count as reading it. */
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
   * @return the offset behind it
   */
  public String append(byte[] message) {
    return tail(ask(post(message)));
  }

  /**
   * The same, unless a sequence that is not below this one was appended before.
   *
   * @param sequence compared as text, byte by byte: write numbers with leading zeros
   */
  public String append(byte[] message, String sequence) {
    return tail(
        ask(post(message).header("Stream-Seq", HttpWire.value("the stream sequence", sequence))));
  }

  /**
   * The same, if the stream still ends where the caller thinks. Not every server of the protocol
   * can do this; Semel does.
   *
   * @throws StreamRefused {@link StreamRefused.Reason#TAIL_MOVED}: someone else was faster
   */
  public String appendIf(String tail, byte[] message) {
    return tail(ask(post(message).header("If-Match", quoted(tail))));
  }

  static String quoted(String tail) {
    return '"' + HttpWire.value("the offset", tail) + '"';
  }

  /** Appends a body as it is: on a stream of JSON, an array is as many messages as it has items. */
  public String appendBody(byte[] body) {
    return tail(ask(typed().POST(body(body))));
  }

  /** Nothing can be appended any more. One that is closed already stays so. */
  public String closeStream() {
    return tail(
        ask(calls.request("").header("Stream-Closed", "true").POST(BodyPublishers.noBody())));
  }

  /** Appends a last message and closes in one step. */
  public String closeStream(byte[] last) {
    return tail(ask(post(last).header("Stream-Closed", "true")));
  }

  /** Sends nothing yet. */
  public StreamReader read(ReadOptions options) {
    return new StreamReader(this, options);
  }

  /** Deletes the stream and what it holds. */
  public void delete() {
    ask(calls.request("").DELETE());
  }

  /** An append of one message, to be refined. */
  HttpRequest.Builder post(byte[] message) {
    return typed().POST(body(type().json() ? array(message) : message));
  }

  private HttpRequest.Builder typed() {
    return calls.request("").header("Content-Type", type().text());
  }

  private static BodyPublisher body(byte[] bytes) {
    return bytes.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes);
  }

  /** Servers take arrays apart by one level, so one that is a message needs another around it. */
  static byte[] array(byte[] message) {
    JsonScanner.elements(message); // what is not one value could become several messages
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
