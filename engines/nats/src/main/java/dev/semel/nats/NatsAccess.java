package dev.semel.nats;

import dev.semel.InvalidInput;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.nio.file.Files;
import java.nio.file.Path;

/** The credentials for a NATS server. Their secrets never appear in any text. */
public sealed interface NatsAccess {
  /** For servers that ask for no credentials. */
  static NatsAccess none() {
    return new None();
  }

  static NatsAccess token(String token) {
    return new Token(token);
  }

  static NatsAccess user(String name, String password) {
    return new User(name, password);
  }

  /** A file with a JWT and its key, as NATS's tools write it; read again at each connection. */
  static NatsAccess credentials(Path file) {
    return new Credentials(file);
  }

  /** No credentials. */
  record None() implements NatsAccess {}

  /** A token. */
  record Token(String token) implements NatsAccess {
    public Token {
      if (token.isEmpty()) {
        throw new InvalidInput("the token for NATS is empty: give one, or no access at all");
      }
    }

    @Override
    public String toString() {
      return "Token[hidden]";
    }
  }

  /** A user name and password. */
  record User(String name, String password) implements NatsAccess {
    @Override
    public String toString() {
      return "User[" + name + ", hidden]";
    }
  }

  /** A file with a JWT and its key. */
  record Credentials(Path file) implements NatsAccess {
    public Credentials {
      if (!Files.isReadable(file)) {
        throw new InvalidInput("the credentials file " + file + " can't be read");
      }
    }
  }

  /** Passes the credentials to the client. */
  static Options.Builder apply(NatsAccess access, Options.Builder options) {
    return switch (access) {
      case None none -> options;
      case Token token -> options.token(token.token().toCharArray());
      case User user -> options.userInfo(user.name().toCharArray(), user.password().toCharArray());
      case Credentials file -> options.authHandler(Nats.credentials(file.file().toString()));
    };
  }
}
