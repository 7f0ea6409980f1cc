package dev.semel.stream.internal;

import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.StreamResult.Conflict.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Decides one creation: whether the stream exists, and what a fork inherits. */
final class CreateCheck {
  private final StreamTable table;
  private final CreateRequest request;
  private final StreamLimits limits;
  private final long now;

  CreateCheck(StreamTable table, CreateRequest request, StreamLimits limits, long now) {
    this.table = table;
    this.request = request;
    this.limits = limits;
    this.now = now;
  }

  ChangeDecision<StreamResult.ToCreate> decide(MessageBoundaries boundaries) {
    StreamState there = table.get(request.path());
    if (there != null && there.goneFor(now)) {
      return conflict(Reason.PATH_HELD_FOR_FORKS);
    }
    boolean replaces = there != null && there.expired(now);
    if (there != null && !replaces) {
      return same(there)
          ? ChangeDecision.reply(new StreamResult.Existed(there.head()))
          : conflict(Reason.OTHER_CONFIGURATION);
    }
    boolean counts = !replaces && !request.path().isReserved();
    if (counts && table.callersSize() >= limits.streams()) {
      return ChangeDecision.reply(new StreamResult.Full("streams", limits.streams()));
    }
    return request.fork().isPresent()
        ? fork(request.fork().get(), boundaries, there)
        : create(
            new StreamConfig(
                request.type().orElse(ContentType.BYTES), request.expiry(), Optional.empty()),
            null,
            Offset.ZERO,
            there);
  }

  /** A fork inherits what its request leaves out, so that can't differ. */
  private boolean same(StreamState there) {
    StreamConfig config = there.config();
    if (request.closed() != there.closed()
        || request.fork().isPresent() != config.fork().isPresent()) {
      return false;
    }
    if (request.fork().isEmpty()) {
      return config.type().equals(request.type().orElse(ContentType.BYTES))
          && config.expiry().equals(request.expiry());
    }
    return sameFork(config.fork().get(), request.fork().get())
        && request.type().map(config.type()::equals).orElse(true)
        && (request.expiry() instanceof StreamExpiry.Never
            || request.expiry().equals(config.expiry()));
  }

  /** A request without an offset means the tail at that time, wherever it was. */
  private static boolean sameFork(StreamFork there, StreamFork asked) {
    return there.source().equals(asked.source())
        && there.beyond() == asked.beyond()
        && (asked.offset().isEmpty() || asked.offset().equals(there.offset()));
  }

  private ChangeDecision<StreamResult.ToCreate> fork(
      StreamFork fork, MessageBoundaries boundaries, @Nullable StreamState replaced) {
    StreamState source = table.get(fork.source());
    if (source == null
        || fork.source().equals(request.path())
        || (source.expired(now) && source.forks() == 0)) {
      return ChangeDecision.reply(new StreamResult.SourceMissing());
    }
    if (source.goneFor(now)) {
      return conflict(Reason.SOURCE_GONE);
    }
    ContentType type = source.config().type();
    if (request.type().isPresent() && !request.type().get().equals(type)) {
      return conflict(Reason.OTHER_TYPE_THAN_SOURCE);
    }
    Offset anchor = fork.offset().orElse(source.tail());
    if (anchor.compareTo(source.tail()) > 0 || anchor.compareTo(source.start()) < 0) {
      return ChangeDecision.reply(
          new StreamResult.Malformed(
              "the fork's offset %s is not within the source".formatted(anchor)));
    }
    OptionalLong base = boundaries.beyond(source, anchor, fork.beyond());
    if (base.isEmpty()) {
      return ChangeDecision.reply(
          new StreamResult.Malformed(
              "the fork's offset %s and sub-offset %d don't meet the end of a message: the sub-offset must stay within the append that follows the offset"
                  .formatted(anchor, fork.beyond())));
    }
    StreamExpiry expiry =
        request.expiry() instanceof StreamExpiry.Never
            ? source.config().expiry()
            : request.expiry();
    StreamFork resolved = new StreamFork(fork.source(), Optional.of(anchor), fork.beyond());
    return create(
        new StreamConfig(type, expiry, Optional.of(resolved)),
        source,
        new Offset(base.getAsLong()),
        replaced);
  }

  private ChangeDecision<StreamResult.ToCreate> create(
      StreamConfig config,
      @Nullable StreamState source,
      Offset base,
      @Nullable StreamState replaced) {
    AppendBody body = request.body().as(config.type());
    if (!body.problemAsFirst().isEmpty()) {
      return ChangeDecision.reply(new StreamResult.Malformed(body.problemAsFirst()));
    }
    if (body.length() > limits.bodyBytes()) {
      return ChangeDecision.reply(new StreamResult.TooLarge(limits.bodyBytes()));
    }
    AppendBody first = AppendBody.stored(body.bytes(), body.ends());
    long incarnation = table.nextIncarnation();
    long from = source == null ? 0 : source.incarnation();
    List<StreamChange> changes = new ArrayList<>(2);
    if (replaced != null) {
      changes.add(new StreamChange.Expired(replaced.incarnation(), now));
    }
    StreamChange.Created created =
        new StreamChange.Created(
            incarnation, now, request.path(), config, base, from, first, request.closed());
    changes.add(created);
    StreamHead head = new StreamState(created, source).head();
    return new ChangeDecision<>(List.copyOf(changes), new StreamResult.Created(head));
  }

  private static ChangeDecision<StreamResult.ToCreate> conflict(Reason reason) {
    return ChangeDecision.reply(new StreamResult.Conflict(reason));
  }
}
