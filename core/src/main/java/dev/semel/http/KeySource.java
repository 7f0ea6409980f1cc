package dev.semel.http;

import dev.semel.json.JsonPointer;

/** Where the key of a request comes from. */
public sealed interface KeySource {
  /** The client sends it in a header. */
  record Header(String name, KeySyntax syntax) implements KeySource {
    public static final Header STANDARD = new Header(HttpHeader.KEY, KeySyntax.LENIENT);
  }

  /** It is in the JSON body, such as a webhook's event id at {@code /id}. */
  record Body(JsonPointer pointer) implements KeySource {}

  /** It is a hash of method, path, query and body, so equal requests have one key. */
  record Content() implements KeySource {}
}
