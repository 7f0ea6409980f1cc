package dev.semel.cli.demo;

import dev.semel.idempotency.spi.Store;
import dev.semel.job.spi.JobQueue;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * What a story is played on.
 *
 * @param jobs on the same engine, where that has queues
 * @param folder the story's own, where it may leave files; gone afterwards
 */
public record DemoStage(
    Store store, JobQueue jobs, Elsewhere elsewhere, Path folder, Narrator narrator) {

  /**
   * The store for a story with processes of its own: the same one, or a file if that is in memory.
   *
   * @param url may hold a password, and so is never on a command line
   * @param worker whose {@code main} reads the URL from its standard input and goes on with {@link
   *     ZombieWorker#run}
   */
  public record Elsewhere(String url, Supplier<Store> opening, Class<?> worker) {
    Store open() {
      return opening.get();
    }

    /** Never the URL. */
    @Override
    public String toString() {
      return "Elsewhere[" + worker.getSimpleName() + "]";
    }
  }
}
