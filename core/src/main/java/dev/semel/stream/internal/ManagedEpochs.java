package dev.semel.stream.internal;

import dev.semel.internal.Ids;
import dev.semel.stream.internal.SenderCheck.Verdict;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import org.jspecify.annotations.Nullable;

/**
 * The older dialect, in which a producer says no epoch and starts a new life with sequence 0. A
 * first batch whose answer was lost looks just like that. So it is taken for a repetition as long
 * as a client could still be retrying it, if it holds the same bytes; a producer that restarts so
 * early and begins with the very same bytes is taken for a repetition too, which is what explicit
 * epochs are for.
 */
final class ManagedEpochs {
  /** As many batches as a client keeps in flight: beyond them the first one was answered. */
  static final int RETRY_WINDOW = 5;

  static final long FIRST_EPOCH = 1;

  private ManagedEpochs() {}

  static Verdict check(
      AppendSender.Managed sender, @Nullable ProducerState known, AppendBody body) {
    if (known == null) {
      // Taking any sequence here would drop what a pipelining client sent before and lost.
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
   * Whether a batch with the number of the one that closed the stream is that one, and not the
   * first of a new life, which must not be told that it is there.
   */
  static boolean means(
      AppendSender.Managed sender, long epoch, @Nullable ProducerState known, AppendBody body) {
    return sender.epoch().isPresent()
        ? sender.epoch().getAsLong() == epoch
        : sender.seq() > 0 || (known != null && known.startedWith(hash(body)));
  }

  /** Who names the epoch that we know has not restarted. */
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

  /** Of the bytes as they are stored. */
  static String hash(AppendBody body) {
    return Ids.sha256Hex(body.bytes()).substring(0, 32);
  }
}
