package dev.semel.server.admin;

import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.DocumentSchema;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The OpenAPI description of the admin API, derived from its actions. */
final class OpenApi {
  private static final String PROBLEM = "#/components/responses/Problem";

  private final Map<String, JsonObjectBuilder> paths = new LinkedHashMap<>();
  private final Map<String, JsonObject> schemas = new LinkedHashMap<>();

  private OpenApi() {}

  /**
   * The whole description.
   *
   * @param others addresses of the server that are no actions
   */
  static JsonObjectBuilder of(List<AdminApi.Address> others) {
    return new OpenApi().document(others);
  }

  private JsonObjectBuilder document(List<AdminApi.Address> others) {
    for (AdminAction action : AdminAction.values()) {
      add(AdminAction.ROOT + action.path(), action.method(), operation(action));
    }
    for (AdminApi.Address other : others) {
      add(other.path(), other.method(), Json.object().with("summary", other.summary()).build());
    }
    JsonObjectBuilder all = Json.object();
    paths.forEach((path, operations) -> all.with(path, operations.build()));
    return Json.object()
        .with("openapi", "3.1.0")
        .with(
            "info",
            Json.object()
                .with("title", "Semel admin API")
                .with("version", "v1")
                .with(
                    "description", "What an operator sees and does. Errors are RFC 9457 problems.")
                .build())
        .with("paths", all.build())
        .with("components", components())
        .with(
            "security",
            List.of(Json.object().with("token", List.of()).build(), Json.object().build()));
  }

  private void add(String path, String method, JsonObject operation) {
    paths
        .computeIfAbsent(path, p -> Json.object())
        .with(method.toLowerCase(Locale.ROOT), operation);
  }

  private JsonObject operation(AdminAction action) {
    List<JsonValue> parameters = new ArrayList<>();
    if (!action.named().isEmpty()) {
      parameters.add(
          Json.object()
              .with("name", action.named())
              .with("in", "path")
              .with("required", true)
              .with("description", "As one segment.")
              .with("schema", type("string"))
              .build());
    }
    if (!action.takesBody()) {
      action.parameters().forEach(each -> parameters.add(inQuery(each)));
    }
    JsonObjectBuilder operation =
        Json.object()
            .with("operationId", action.name().toLowerCase(Locale.ROOT))
            .with("summary", action.summary())
            .with("x-semel-right", action.needsAdmin() ? "admin" : "read")
            .with("x-semel-destructive", action.effect() == AdminAction.Effect.DESTROYS)
            .with("parameters", parameters);
    if (action.takesBody()) {
      operation.with("requestBody", body(action));
    }
    return operation
        .with(
            "responses",
            Json.object().with("200", answer(action)).with("default", reference(PROBLEM)).build())
        .build();
  }

  private static JsonObject inQuery(ActionParameter each) {
    return Json.object()
        .with("name", each.name())
        .with("in", "query")
        .with("required", each.required())
        .with("description", each.help())
        .with("schema", schema(each).build())
        .build();
  }

  private static JsonObject body(AdminAction action) {
    JsonObjectBuilder properties = Json.object();
    action
        .parameters()
        .forEach(
            each ->
                properties.with(
                    each.name(), schema(each).with("description", each.help()).build()));
    List<JsonValue> required =
        action.parameters().stream()
            .filter(ActionParameter::required)
            .map(each -> JsonValue.of(each.name()))
            .toList();
    return Json.object()
        .with("required", !required.isEmpty())
        .with(
            "content",
            content(
                List.of("application/json"),
                Json.object()
                    .with("type", "object")
                    .with("properties", properties.build())
                    .with("required", required)
                    .build()))
        .build();
  }

  private static JsonObjectBuilder schema(ActionParameter parameter) {
    ActionParameter.Value value = parameter.value();
    JsonObjectBuilder schema =
        switch (value.kind()) {
          case TEXT, KEY, DURATION -> Json.object().with("type", "string");
          case NUMBER -> Json.object().with("type", "integer");
          case FRACTION -> Json.object().with("type", "number");
          case FLAG -> Json.object().with("type", "boolean");
          case TIME -> Json.object().with("type", "string").with("format", "date-time");
          case BASE64 -> Json.object().with("type", "string").with("contentEncoding", "base64");
          case OBJECT -> Json.object().with("type", "object");
          case CHOICE -> Json.object().with("type", "string").with("enum", choices(value));
          case CHOICES ->
              Json.object()
                  .with("type", "string")
                  .with("pattern", several(String.join("|", value.choices())));
        };
    if (value.otherwise().isEmpty()) {
      return schema;
    }
    return switch (value.kind()) {
      case NUMBER, FRACTION -> schema.with("default", Json.parse(value.otherwise()));
      default -> schema.with("default", value.otherwise());
    };
  }

  private static List<JsonValue> choices(ActionParameter.Value value) {
    return value.choices().stream().map(JsonValue::of).toList();
  }

  private static String several(String word) {
    return "^(%s)(,(%s))*$".formatted(word, word);
  }

  private JsonObject answer(AdminAction action) {
    List<String> types =
        switch (action) {
          case EXPORT -> List.of("application/x-ndjson", "text/csv");
          case EVENTS -> List.of("text/event-stream");
          default -> List.of("application/json");
        };
    return Json.object()
        .with("description", "It was answered.")
        .with("content", content(types, named(action.answer())))
        .build();
  }

  private static JsonObject content(List<String> types, JsonObject schema) {
    JsonObjectBuilder content = Json.object();
    types.forEach(type -> content.with(type, Json.object().with("schema", schema).build()));
    return content.build();
  }

  /** A reference to a schema, which the description contains once. */
  private JsonObject named(DocumentSchema schema) {
    if (!schemas.containsKey(schema.name())) {
      schemas.put(schema.name(), written(schema));
    }
    return reference("#/components/schemas/" + schema.name());
  }

  /** Allows further members, because a later version may have more. */
  private JsonObject written(DocumentSchema schema) {
    JsonObjectBuilder properties = Json.object();
    List<JsonValue> required = new ArrayList<>();
    for (DocumentSchema.Member member : schema.members()) {
      JsonObject one = member(member);
      boolean nullable = member.presence() == DocumentSchema.Presence.NULLABLE;
      properties.with(
          member.name(),
          nullable ? Json.object().with("anyOf", List.of(one, type("null"))).build() : one);
      if (member.presence() != DocumentSchema.Presence.OPTIONAL) {
        required.add(JsonValue.of(member.name()));
      }
    }
    return Json.object()
        .with("type", "object")
        .with("properties", properties.build())
        .with("required", required)
        .build();
  }

  private JsonObject member(DocumentSchema.Member member) {
    return switch (member.kind()) {
      case TEXT -> type("string");
      case TIME -> Json.object().with("type", "string").with("format", "date-time").build();
      case INTEGER -> type("integer");
      case NUMBER -> type("number");
      case TRUTH -> type("boolean");
      case TEXTS -> array(type("string"));
      case OBJECT -> named(member.of().orElseThrow());
      case OBJECTS -> array(named(member.of().orElseThrow()));
      case MAP -> type("object");
    };
  }

  private static JsonObject type(String name) {
    return Json.object().with("type", name).build();
  }

  private static JsonObject array(JsonObject items) {
    return Json.object().with("type", "array").with("items", items).build();
  }

  private static JsonObject reference(String to) {
    return Json.object().with("$ref", to).build();
  }

  private JsonObject components() {
    JsonObjectBuilder all = Json.object();
    schemas.forEach(all::with);
    return Json.object()
        .with("schemas", all.build())
        .with(
            "responses",
            Json.object()
                .with(
                    "Problem",
                    Json.object()
                        .with("description", "What is wrong, and what to do.")
                        .with(
                            "content",
                            Json.object()
                                .with("application/problem+json", Json.object().build())
                                .build())
                        .build())
                .build())
        .with(
            "securitySchemes",
            Json.object()
                .with("token", Json.object().with("type", "http").with("scheme", "bearer").build())
                .build())
        .build();
  }
}
