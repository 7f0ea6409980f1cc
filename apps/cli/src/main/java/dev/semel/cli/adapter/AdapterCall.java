package dev.semel.cli.adapter;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.StreamClient;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A command's access to its stream, with the command's headers; it records what it sent. */
final class AdapterCall {
  private final DynamicValues headers;
  private final DynamicValues params;
  private final Map<String, String> own;
  private final DurableStream stream;
  private volatile Map<String, String> headersSent = Map.of();
  private volatile Map<String, String> paramsSent = Map.of();

  /**
   * @param own the command's headers, which precede dynamic ones of the same name
   * @param type the stream's, if it is known
   */
  AdapterCall(
      StreamClient client,
      Dynamic dynamic,
      Map<String, String> own,
      URI at,
      Optional<ContentType> type) {
    this.headers = dynamic.headers();
    this.params = dynamic.params();
    this.own = own;
    DurableStream any = client.withHeaders(this::headers).withParams(this::params).at(at);
    this.stream = type.map(any::as).orElse(any);
  }

  /** Headers and parameters with a new value in each request. */
  record Dynamic(DynamicValues headers, DynamicValues params) {}

  private Map<String, String> headers() {
    headersSent = headers.next();
    Map<String, String> all = new LinkedHashMap<>(headersSent);
    all.putAll(own);
    return all;
  }

  private Map<String, String> params() {
    paramsSent = params.next();
    return paramsSent;
  }

  DurableStream stream() {
    return stream;
  }

  /** Adds the dynamic headers and parameters of the last request, if any. */
  JsonObjectBuilder withSent(JsonObjectBuilder answer) {
    add(answer, "headersSent", headersSent);
    add(answer, "paramsSent", paramsSent);
    return answer;
  }

  private static void add(JsonObjectBuilder answer, String name, Map<String, String> sent) {
    if (!sent.isEmpty()) {
      JsonObjectBuilder values = Json.object();
      sent.forEach(values::with);
      answer.with(name, values.build());
    }
  }
}
