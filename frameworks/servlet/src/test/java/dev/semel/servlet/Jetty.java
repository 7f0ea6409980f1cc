package dev.semel.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.net.URI;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A plain Jetty on a free port: filters in their order, then servlets. */
final class Jetty implements AutoCloseable {
  private static final int THREADS = 250;

  private final Server server;
  private final ServerConnector connector;
  private final ServletContextHandler context = new ServletContextHandler();

  Jetty() {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS);
    server = new Server(threads);
    connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    // For many simultaneous connections: with a shorter queue the kernel resets some.
    connector.setAcceptQueueSize(1024);
    server.addConnector(connector);
    context.setContextPath("/");
    server.setHandler(context);
  }

  /** For every dispatcher type, so that the filter must decide which requests it guards. */
  Jetty filter(Filter filter) {
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    context.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
    return this;
  }

  Jetty servlet(String path, HttpServlet servlet) {
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    context.addServlet(holder, path);
    return this;
  }

  Jetty idleTimeout(java.time.Duration timeout) {
    connector.setIdleTimeout(timeout.toMillis());
    return this;
  }

  ServletContextHandler context() {
    return context;
  }

  Jetty start() {
    try {
      server.start();
      return this;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
