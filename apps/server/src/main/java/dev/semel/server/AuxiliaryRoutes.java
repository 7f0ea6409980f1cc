package dev.semel.server;

import dev.semel.server.admin.AdminApi;
import dev.semel.server.page.PageRoute;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * Who answers beside streams; each is the same on all loops.
 *
 * @param reserved what is below the protocol's own path
 * @param admin operators
 * @param metrics who scrapes
 * @param page operators with a browser
 */
record AuxiliaryRoutes(
    Handler<HttpServerRequest> reserved,
    Optional<AdminApi> admin,
    Handler<HttpServerRequest> metrics,
    Optional<PageRoute> page) {}
