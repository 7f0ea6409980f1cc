package dev.semel.stream;

import dev.semel.stream.Answer.Conflict.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Decides one creation: whether the stream is there already, and what a fork inherits. */
final class CreateCheck {
  private final StreamTable table;
  private final Create request;
  private final Limits limits;
  private final long now;

  CreateCheck(StreamTable table, Create request, Limits limits, long now) {
    this.table = table;
    this.request = request;
    this.limits = limits;
    this.now = now;
  }

  Decision<Answer.ToCreate> decide(Boundaries boundaries) {
    StreamState there = table.get(request.path());
    if (there != null && there.goneFor(now)) {
      return conflict(Reason.PATH_HELD_FOR_FORKS);
    }
    boolean replaces = there != null && there.expired(now);
    if (there != null && !replaces) {
      return same(there)
          ? Decision.reply(new Answer.Existed(there.head()))
          : conflict(Reason.OTHER_CONFIGURATION);
    }
    boolean counts = !replaces && !request.path().isReserved();
    if (counts && table.callersSize() >= limits.streams()) {
      return Decision.reply(new Answer.Full("streams", limits.streams()));
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

  /** What a fork's request leaves out was inherited, so it can't differ. */
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
    return config.fork().get().meant(request.fork().get())
        && request.type().map(config.type()::equals).orElse(true)
        && (request.expiry() instanceof Expiry.Never || request.expiry().equals(config.expiry()));
  }

  private Decision<Answer.ToCreate> fork(
      Fork fork, Boundaries boundaries, @Nullable StreamState replaced) {
    StreamState source = table.get(fork.source());
    if (source == null
        || fork.source().equals(request.path())
        || (source.expired(now) && source.forks() == 0)) {
      return Decision.reply(new Answer.SourceMissing());
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
      return Decision.reply(
          new Answer.Malformed("the fork's offset %s is not within the source".formatted(anchor)));
    }
    OptionalLong base = boundaries.beyond(source, anchor, fork.beyond());
    if (base.isEmpty()) {
      return Decision.reply(
          new Answer.Malformed(
              "the fork's offset %s and sub-offset %d don't meet the end of a message: the sub-offset must stay within the append that follows the offset"
                  .formatted(anchor, fork.beyond())));
    }
    Expiry expiry =
        request.expiry() instanceof Expiry.Never ? source.config().expiry() : request.expiry();
    Fork resolved = new Fork(fork.source(), Optional.of(anchor), fork.beyond());
    return create(
        new StreamConfig(type, expiry, Optional.of(resolved)),
        source,
        new Offset(base.getAsLong()),
        replaced);
  }

  private Decision<Answer.ToCreate> create(
      StreamConfig config,
      @Nullable StreamState source,
      Offset base,
      @Nullable StreamState replaced) {
    Body body = request.body().as(config.type());
    if (!body.problemAsFirst().isEmpty()) {
      return Decision.reply(new Answer.Malformed(body.problemAsFirst()));
    }
    if (body.length() > limits.bodyBytes()) {
      return Decision.reply(new Answer.TooLarge(limits.bodyBytes()));
    }
    Body first = Body.stored(body.bytes(), body.ends());
    long incarnation = table.nextIncarnation();
    long from = source == null ? 0 : source.incarnation();
    List<Change> changes = new ArrayList<>(2);
    if (replaced != null) {
      changes.add(new Change.Expired(replaced.incarnation(), now));
    }
    Change.Created created =
        new Change.Created(
            incarnation, now, request.path(), config, base, from, first, request.closed());
    changes.add(created);
    Head head = new StreamState(created, source).head();
    return new Decision<>(List.copyOf(changes), new Answer.Created(head));
  }

  private static Decision<Answer.ToCreate> conflict(Reason reason) {
    return Decision.reply(new Answer.Conflict(reason));
  }
}
