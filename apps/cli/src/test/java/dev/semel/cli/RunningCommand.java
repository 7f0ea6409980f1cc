package dev.semel.cli;

import dev.semel.cli.connect.JobQueues;
import dev.semel.junit.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command under way in this process. A test can write to it, read its output so far and request
 * that it stops, as with {@link SemelProcess}.
 */
final class RunningCommand implements AutoCloseable {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final OutputStream stdin;
  private final CompletableFuture<Integer> code = new CompletableFuture<>();
  private final Requested shutdown = new Requested();
  private final Thread thread;

  /** A shutdown that a test requests instead of a signal. */
  private static final class Requested implements ShutdownSignal {
    private final CompletableFuture<Request> request = new CompletableFuture<>();

    private volatile boolean listening;

    @Override
    public Request await(Runnable ready) {
      listening = true;
      ready.run();
      return request.join();
    }

    @Override
    public void abort(int code) {
      throw new UnsupportedOperationException("only a process can end at once");
    }
  }

  RunningCommand(Map<String, String> environment, Path folder, JobQueues queues, String... args) {
    try {
      Pipe pipe = Pipe.open();
      stdin = Channels.newOutputStream(pipe.sink());
      StandardStreams streams =
          new StandardStreams(
              Channels.newInputStream(pipe.source()),
              new PrintStream(out, false, StandardCharsets.UTF_8),
              new PrintStream(err, false, StandardCharsets.UTF_8),
              "");
      Environment around = new Environment(environment, folder, streams, shutdown);
      thread =
          Thread.ofPlatform().name("semel " + args[0]).unstarted(() -> run(around, queues, args));
      thread.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void run(Environment around, JobQueues queues, String... args) {
    try {
      int ended = SemelCommand.execute(around, queues, args);
      around.streams().flush();
      code.complete(ended);
    } catch (Throwable e) {
      code.completeExceptionally(e);
    }
  }

  /** Stops it like {@code kill}. */
  void terminate() {
    shutdown.request.complete(ShutdownSignal.Request.TERMINATE);
  }

  /** Stops it like Ctrl-C. */
  void interrupt() {
    shutdown.request.complete(ShutdownSignal.Request.INTERRUPT);
  }

  boolean isAlive() {
    return !code.isDone();
  }

  OutputStream stdin() {
    return stdin;
  }

  String outSoFar() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String errSoFar() {
    return err.toString(StandardCharsets.UTF_8);
  }

  Cli.Result await() throws InterruptedException {
    try {
      int ended = code.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      return new Cli.Result(ended, out.toByteArray(), errSoFar());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("still running: " + errSoFar(), e);
    }
  }

  /** Ends it in any state. */
  @Override
  public void close() {
    terminate();
    try {
      stdin.close();
      if (!shutdown.listening) {
        thread.interrupt(); // it waits for something that does not come any more
      }
      thread.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
