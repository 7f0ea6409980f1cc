package dev.semel.http;

import dev.semel.json.JsonPointer;

/** Where a request's key comes from. */
public sealed interface KeySource {
  /** The client sends it. */
  record Header(String name, KeySyntax syntax) implements KeySource {
    public static final Header STANDARD = new Header(HttpHeader.KEY, KeySyntax.LENIENT);
  }

  /** It stands in the JSON body, such as a webhook's event id at {@code /id}. */
  record Body(JsonPointer pointer) implements KeySource {}

  /** Requests with the same method, path, query and body are the same. */
  record Content() implements KeySource {}
}
