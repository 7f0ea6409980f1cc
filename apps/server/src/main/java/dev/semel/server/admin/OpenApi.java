package dev.semel.server.admin;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The API's description, made of the routes themselves. */
final class OpenApi {
  private static final String PROBLEM = "#/components/responses/Problem";

  private OpenApi() {}

  /**
   * @param routes all of this package
   * @param others what the server answers beside them, with whole paths
   */
  static String of(List<AdminRoute> routes, List<AdminRoute> others) {
    Map<String, JsonObjectBuilder> paths = new LinkedHashMap<>();
    routes.forEach(route -> add(paths, AdminApi.ROOT + route.pattern(), route));
    others.forEach(route -> add(paths, route.pattern(), route));
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
            List.of(Json.object().with("token", List.of()).build(), Json.object().build()))
        .write();
  }

  private static void add(Map<String, JsonObjectBuilder> paths, String path, AdminRoute route) {
    paths
        .computeIfAbsent(path, p -> Json.object())
        .with(route.method().toLowerCase(java.util.Locale.ROOT), operation(path, route));
  }

  private static JsonObject operation(String path, AdminRoute route) {
    List<JsonValue> parameters = new ArrayList<>();
    int open = path.indexOf('{');
    if (open >= 0) {
      parameters.add(
          parameter(path.substring(open + 1, path.indexOf('}')), "path", "As one segment."));
    }
    for (RouteParameter each : route.parameters()) {
      if (!route.takesBody()) {
        parameters.add(parameter(each.name(), "query", each.help()));
      }
    }
    JsonObjectBuilder operation =
        Json.object()
            .with("summary", route.summary())
            .with("x-semel-right", route.changes() ? "admin" : "read")
            .with("parameters", parameters);
    if (route.takesBody()) {
      operation.with("requestBody", body(route));
    }
    return operation
        .with(
            "responses",
            Json.object()
                .with("200", Json.object().with("description", "It was answered.").build())
                .with("default", Json.object().with("$ref", PROBLEM).build())
                .build())
        .build();
  }

  private static JsonValue parameter(String name, String in, String help) {
    return Json.object()
        .with("name", name)
        .with("in", in)
        .with("required", in.equals("path"))
        .with("description", help)
        .with("schema", Json.object().with("type", "string").build())
        .build();
  }

  private static JsonObject body(AdminRoute route) {
    JsonObjectBuilder properties = Json.object();
    route
        .parameters()
        .forEach(
            each ->
                properties.with(
                    each.name(), Json.object().with("description", each.help()).build()));
    JsonObject schema =
        Json.object().with("type", "object").with("properties", properties.build()).build();
    return Json.object()
        .with("required", false)
        .with(
            "content",
            Json.object()
                .with("application/json", Json.object().with("schema", schema).build())
                .build())
        .build();
  }

  private static JsonObject components() {
    return Json.object()
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
