package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservices.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Processes of one kind, each always on the same port, with a simple load balancer: it asks each
 * whether it is ready, and offers those that last said yes.
 */
final class Fleet implements AutoCloseable {
  private static final Duration PROBE_PAUSE = Duration.ofMillis(50);

  private final HttpClient prober =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String readyPath;
  private final List<Member> members = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final Thread probing = Thread.ofVirtual().unstarted(this::probe);
  private volatile boolean closed;

  /** One process, and whether it was ready at the last check. */
  private final class Member {
    private final Path folder;
    private final int port;
    private final String[] command;
    private SemelProcess process;
    private volatile boolean ready;

    Member(Path folder, int port, String[] command) {
      this.folder = folder;
      this.port = port;
      this.command = command;
      this.process = SemelProcess.start(folder, command);
    }

    void probe() {
      HttpRequest ask = HttpRequest.newBuilder(URI.create(url() + readyPath)).build();
      try {
        ready = prober.send(ask, BodyHandlers.discarding()).statusCode() == 200;
      } catch (IOException e) {
        ready = false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    String url() {
      return "http://127.0.0.1:" + port;
    }

    void awaitReady() {
      await()
          .until(
              () -> {
                assertThat(process.isAlive()).as(process.errSoFar()).isTrue();
                return ready;
              });
    }
  }

  /**
   * Returns when all are ready; if one can't be started, none is left.
   *
   * @param readyPath of the health check
   * @param command without its port
   */
  Fleet(Path folder, int size, String readyPath, String... command) {
    this.readyPath = readyPath;
    try {
      for (int i = 0; i < size; i++) {
        int port = FreePorts.free();
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--port", Integer.toString(port)));
        members.add(new Member(made(folder.resolve("m" + i)), port, all.toArray(new String[0])));
      }
      probing.start();
      members.forEach(Member::awaitReady);
    } catch (RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  private static Path made(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void probe() {
    while (!closed && !Thread.currentThread().isInterrupted()) {
      members.forEach(Member::probe);
      LockSupport.parkNanos(PROBE_PAUSE.toNanos()); // pauses like a load balancer
    }
  }

  /** The address for the next request. */
  String next() {
    for (int tries = 0; tries < members.size(); tries++) {
      Member member = any();
      if (member.ready) {
        return member.url();
      }
    }
    return any().url();
  }

  /** The address for a caller that ignores readiness. */
  String nextOfAll() {
    return any().url();
  }

  private Member any() {
    return members.get(Math.floorMod(turn.getAndIncrement(), members.size()));
  }

  int size() {
    return members.size();
  }

  List<String> urls() {
    return members.stream().map(Member::url).toList();
  }

  /** Terminates, awaits and starts again each process, one after the other. */
  void restartInTurn() throws Exception {
    for (Member member : members) {
      member.process.terminate();
      Cli.Result ended = member.process.await();
      assertThat(ended.code()).as(ended.err()).isZero();
      await().until(() -> !member.ready);
      member.process = SemelProcess.start(member.folder, member.command);
      member.awaitReady();
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      probing.join();
      for (Member member : members) {
        member.process.kill();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    prober.close();
  }
}
