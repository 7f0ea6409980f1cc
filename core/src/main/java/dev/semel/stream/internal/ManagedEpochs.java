package dev.semel.stream.internal;

import dev.semel.internal.Ids;
import dev.semel.stream.internal.SenderCheck.Verdict;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import org.jspecify.annotations.Nullable;

/**
 * The older dialect, in which a producer sends no epoch and starts a new run with sequence 0. A
 * first batch whose answer was lost looks exactly like that. So a batch with the same bytes counts
 * as a repetition for as long as a client could still be retrying it; a producer that restarts that
 * early and begins with the same bytes counts as a repetition too. Explicit epochs avoid that.
 */
final class ManagedEpochs {
  /** As many batches as a client keeps in flight: after them, the first one has been answered. */
  static final int RETRY_WINDOW = 5;

  static final long FIRST_EPOCH = 1;

  private ManagedEpochs() {}

  static Verdict check(
      AppendSender.Managed sender, @Nullable ProducerState known, AppendBody body) {
    if (known == null) {
      // Accepting another sequence would lose the batches that a pipelining client sent before.
      return sender.seq() == 0
          ? accept(sender, FIRST_EPOCH)
          : new Verdict.Refuse(new StreamResult.Gap(0, sender.seq()));
    }
    if (sender.epoch().isPresent() && sender.epoch().getAsLong() != known.epoch()) {
      return otherEpoch(sender.epoch().getAsLong(), known.epoch());
    }
    if (sender.seq() == 0 && restarts(sender, known, body)) {
      return accept(sender, known.lastSeq() < 0 ? known.epoch() : known.epoch() + 1);
    }
    return SenderCheck.sameEpoch(
        new BatchStamp(new ProducerTuple(sender.id(), known.epoch(), sender.seq()), true), known);
  }

  /**
   * Whether a batch with the number of the closing batch is that batch, and not the first of a new
   * run, which must not be answered as a duplicate.
   */
  static boolean means(
      AppendSender.Managed sender, long epoch, @Nullable ProducerState known, AppendBody body) {
    return sender.epoch().isPresent()
        ? sender.epoch().getAsLong() == epoch
        : sender.seq() > 0 || (known != null && known.startedWith(hash(body)));
  }

  /** A producer that names the known epoch has not restarted. */
  private static boolean restarts(
      AppendSender.Managed sender, ProducerState known, AppendBody body) {
    boolean retry =
        sender.epoch().isPresent()
            || (known.lastSeq() < RETRY_WINDOW && known.startedWith(hash(body)));
    return known.lastSeq() < 0 || !retry;
  }

  private static Verdict otherEpoch(long named, long current) {
    return new Verdict.Refuse(
        named < current
            ? new StreamResult.StaleEpoch(current)
            : new StreamResult.Malformed(
                "the producer names epoch %d, and the stream knows none beyond %d: leave it out to start anew"
                    .formatted(named, current)));
  }

  private static Verdict accept(AppendSender.Managed sender, long epoch) {
    return new Verdict.Accept(
        new BatchStamp(new ProducerTuple(sender.id(), epoch, sender.seq()), true));
  }

  /** The hash of the stored bytes. */
  static String hash(AppendBody body) {
    return Ids.sha256Hex(body.bytes()).substring(0, 32);
  }
}
