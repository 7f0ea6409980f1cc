package dev.semel.admin.remote;

import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.net.internal.ServerUrl;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Builds the request for an action. For one thread. */
final class AdminQuery {
  private final AdminAction action;
  private final String path;
  private final Map<String, JsonValue> parameters = new LinkedHashMap<>();

  private AdminQuery(AdminAction action, String path) {
    this.action = action;
    this.path = AdminAction.ROOT + path;
  }

  static AdminQuery of(AdminAction action) {
    return new AdminQuery(action, action.path());
  }

  /**
   * An action whose path names something.
   *
   * @param named may hold any characters
   */
  static AdminQuery of(AdminAction action, String named) {
    return new AdminQuery(
        action, action.path().replace("{" + action.named() + "}", ServerUrl.encode(named)));
  }

  AdminAction action() {
    return action;
  }

  /** A parameter that the action does not have is a bug of ours. */
  AdminQuery with(String name, JsonValue value) {
    if (action.parameter(name).isEmpty()) {
      throw new IllegalArgumentException("%s has no parameter %s".formatted(action, name));
    }
    parameters.put(name, value);
    return this;
  }

  /** Adds the parameter unless it is empty. */
  AdminQuery with(String name, String value) {
    return value.isEmpty() ? this : with(name, JsonValue.of(value));
  }

  AdminQuery with(String name, long value) {
    return with(name, JsonValue.of(value));
  }

  AdminQuery with(String name, boolean value) {
    return with(name, JsonValue.of(value));
  }

  AdminQuery with(String name, Optional<Instant> time) {
    return with(name, time.map(Instant::toString).orElse(""));
  }

  /** Adds the bytes even if there are none. */
  AdminQuery with(String name, byte[] bytes) {
    return with(name, JsonValue.of(Base64.getEncoder().encodeToString(bytes)));
  }

  /** Only asks how many the action would touch. */
  AdminQuery dryRun() {
    return with(ActionParameter.DRY_RUN.name(), true);
  }

  /** Sets the expected count. */
  AdminQuery expecting(long count) {
    return with(ActionParameter.EXPECT.name(), count);
  }

  /** All parameters, if the request has a body, where they stay out of logs. */
  Optional<JsonObject> body() {
    if (!action.takesBody()) {
      return Optional.empty();
    }
    JsonObjectBuilder body = Json.object();
    parameters.forEach(body::with);
    return Optional.of(body.build());
  }

  /** The address after the server's. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(path);
    if (!action.takesBody()) {
      char next = '?';
      for (Map.Entry<String, JsonValue> each : parameters.entrySet()) {
        text.append(next)
            .append(each.getKey())
            .append('=')
            .append(ServerUrl.encode(text(each.getValue())));
        next = '&';
      }
    }
    return text.toString();
  }

  private static String text(JsonValue value) {
    return switch (value) {
      case JsonString string -> string.text();
      case JsonNumber number -> number.value().toPlainString();
      default -> Json.write(value);
    };
  }
}
