package dev.semel.servlet;

import dev.semel.idempotency.EffectUnknown;
import dev.semel.loop.Platform;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an asynchronous handler: the container's thread stays here until the handler completes,
 * because the key must be held and the answer recorded before it is sent. The container never
 * learns that the request is asynchronous.
 */
final class AsyncWait implements AsyncContext {
  /** The containers' default. */
  static final long DEFAULT_TIMEOUT_MILLIS = 30_000;

  private enum State {
    IDLE,
    STARTED,
    TO_DISPATCH,
    COMPLETED
  }

  private record Listening(AsyncListener listener, AsyncEvent event) {}

  private final HttpServletRequest guarded;
  private final BufferedResponse into;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Listening> listeners = new ArrayList<>();
  private State state = State.IDLE;
  private boolean inHandler = true;
  private ServletRequest request;
  private @Nullable ServletResponse response;
  private String path = "";
  private @Nullable ServletContext context;
  private long timeoutMillis = DEFAULT_TIMEOUT_MILLIS;
  private volatile boolean timedOut;

  AsyncWait(HttpServletRequest guarded, BufferedResponse into) {
    this.guarded = guarded;
    this.into = into;
    this.request = guarded;
  }

  /** A listener's callback or a state's step, which may throw. */
  private interface Step {
    void run(Listening to) throws IOException;
  }

  private boolean in(State wanted) {
    lock.lock();
    try {
      return state == wanted;
    } finally {
      lock.unlock();
    }
  }

  private void change(State from, State to, String what) {
    lock.lock();
    try {
      if (state != from) {
        throw new IllegalStateException("can't %s: the request is %s".formatted(what, state));
      }
      state = to;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void start(ServletRequest request, ServletResponse response) {
    change(State.IDLE, State.STARTED, "start");
    this.request = request;
    this.response = response;
    List<Listening> before = take();
    tell(before, to -> to.listener.onStartAsync(to.event));
  }

  /**
   * Whether processing is asynchronous. As in containers, this stays true until the handler that
   * started it has returned, even if another thread completed or dispatched earlier: otherwise a
   * framework would write a second answer.
   */
  boolean started() {
    lock.lock();
    try {
      return state == State.STARTED || (inHandler && state != State.IDLE);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the handler has neither completed nor dispatched. */
  boolean pending() {
    return in(State.STARTED);
  }

  private void inHandler(boolean now) {
    lock.lock();
    try {
      inHandler = now;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the time-out expired: the handler's work may still be running, whatever was answered.
   */
  boolean timedOut() {
    return timedOut;
  }

  /** Returns when the handler has completed. Runs dispatches on this thread. */
  void await() throws IOException, ServletException {
    inHandler(false);
    while (!in(State.COMPLETED)) {
      if (!awaitChange()) {
        timedOut = true;
        tell(copy(), to -> to.listener.onTimeout(to.event));
        if (pending()) {
          throw new EffectUnknown(
              "the asynchronous handler did not complete within %d ms and may still be at work"
                  .formatted(timeoutMillis),
              new IOException("timed out"));
        }
      }
      if (in(State.TO_DISPATCH)) {
        runDispatch();
      }
    }
    tell(take(), to -> to.listener.onComplete(to.event));
  }

  /**
   * Waits for a change of state.
   *
   * @return false when the time-out expired
   */
  private boolean awaitChange() {
    lock.lock();
    try {
      long left =
          timeoutMillis <= 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
      while (state == State.STARTED) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EffectUnknown("stopped while the asynchronous handler was still at work", e);
    } finally {
      lock.unlock();
    }
  }

  private void runDispatch() throws IOException, ServletException {
    change(State.TO_DISPATCH, State.IDLE, "dispatch");
    inHandler(true);
    ServletContext within = context;
    RequestDispatcher dispatcher =
        within == null ? request.getRequestDispatcher(path) : within.getRequestDispatcher(path);
    if (dispatcher == null) {
      throw new ServletException("nothing to dispatch to at " + path);
    }
    // Handlers recognize an asynchronous dispatch by these attributes; the dispatcher type says
    // forward.
    guarded.setAttribute(ASYNC_REQUEST_URI, guarded.getRequestURI());
    guarded.setAttribute(ASYNC_CONTEXT_PATH, guarded.getContextPath());
    guarded.setAttribute(ASYNC_SERVLET_PATH, guarded.getServletPath());
    guarded.setAttribute(ASYNC_PATH_INFO, guarded.getPathInfo());
    guarded.setAttribute(ASYNC_QUERY_STRING, guarded.getQueryString());
    ServletResponse answer = getResponse();
    try {
      if (answer.isCommitted()) {
        dispatcher.include(request, answer); // a stream can't be forwarded any more
      } else {
        into.beforeDispatch();
        dispatcher.forward(request, answer);
      }
    } catch (IOException | ServletException | RuntimeException e) {
      tell(
          copy(),
          to ->
              to.listener.onError(
                  new AsyncEvent(
                      this, to.event.getSuppliedRequest(), to.event.getSuppliedResponse(), e)));
      throw e;
    }
    lock.lock();
    try {
      inHandler = false;
      if (state == State.IDLE) {
        state = State.COMPLETED;
      }
    } finally {
      lock.unlock();
    }
  }

  private void tell(List<Listening> whom, Step step) {
    for (Listening listening : whom) {
      try {
        step.run(listening);
      } catch (IOException | RuntimeException e) {
        // A listener's failure is ignored, as in containers: it does not mean that the work failed,
        // so the key must not be released for it.
      }
    }
  }

  private List<Listening> copy() {
    lock.lock();
    try {
      return List.copyOf(listeners);
    } finally {
      lock.unlock();
    }
  }

  private List<Listening> take() {
    lock.lock();
    try {
      List<Listening> all = List.copyOf(listeners);
      listeners.clear();
      return all;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ServletRequest getRequest() {
    return request;
  }

  @Override
  public ServletResponse getResponse() {
    ServletResponse given = response;
    if (given == null) {
      throw new IllegalStateException("the request is not asynchronous");
    }
    return given;
  }

  @Override
  public boolean hasOriginalRequestAndResponse() {
    return request.equals(guarded);
  }

  @Override
  public void dispatch() {
    String uri = guarded.getRequestURI();
    dispatch(uri.substring(guarded.getContextPath().length()));
  }

  @Override
  public void dispatch(String path) {
    dispatchTo(null, path);
  }

  @Override
  public void dispatch(ServletContext context, String path) {
    dispatchTo(context, path);
  }

  private void dispatchTo(@Nullable ServletContext context, String path) {
    lock.lock();
    try {
      this.context = context;
      this.path = path;
      change(State.STARTED, State.TO_DISPATCH, "dispatch");
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void complete() {
    change(State.STARTED, State.COMPLETED, "complete");
  }

  @Override
  public void start(Runnable run) {
    Platform.REAL.beside("semel-async", run);
  }

  @Override
  public void addListener(AsyncListener listener) {
    listen(listener, new AsyncEvent(this, request, getResponse()));
  }

  @Override
  public void addListener(AsyncListener listener, ServletRequest req, ServletResponse res) {
    listen(listener, new AsyncEvent(this, req, res));
  }

  private void listen(AsyncListener listener, AsyncEvent event) {
    lock.lock();
    try {
      listeners.add(new Listening(listener, event));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
    return guarded.getServletContext().createListener(type);
  }

  @Override
  public void setTimeout(long millis) {
    timeoutMillis = millis;
  }

  @Override
  public long getTimeout() {
    return timeoutMillis;
  }
}
