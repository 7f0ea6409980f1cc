package dev.semel.stream.internal;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamHead;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.StreamSeq;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of one stream without its data. It changes in place, because copying producers for each
 * append would cost more than the append. So only the writer that owns its {@link StreamTable} may
 * use it; others get a {@link StreamHead}.
 */
public final class StreamState {
  private final long incarnation;
  private final StreamPath path;
  private final StreamConfig config;
  private final long base;
  private final @Nullable StreamState source;
  private final @Nullable StreamState origin;
  private final Map<String, ProducerState> declared = new HashMap<>();
  private final Map<String, ProducerState> managed = new HashMap<>();

  private long start;
  private long tail;
  private boolean closed;
  private @Nullable BatchStamp closedBy;
  private @Nullable StreamSeq lastSeq;
  private long touched;
  private int forks;
  private boolean softDeleted;

  StreamState(StreamChange.Created created, @Nullable StreamState source) {
    this.incarnation = created.stream();
    this.path = created.path();
    this.config = created.config();
    this.base = created.base().position();
    this.source = source;
    this.origin = null;
    this.tail = base + created.body().length();
    this.closed = created.closed();
    this.touched = created.at();
  }

  private StreamState(StreamState origin) {
    this.incarnation = origin.incarnation;
    this.path = origin.path;
    this.config = origin.config;
    this.base = origin.base;
    this.source = origin.source;
    this.origin = origin;
    this.start = origin.start;
    this.tail = origin.tail;
    this.closed = origin.closed;
    this.closedBy = origin.closedBy;
    this.lastSeq = origin.lastSeq;
    this.touched = origin.touched;
    this.forks = origin.forks;
    this.softDeleted = origin.softDeleted;
  }

  /**
   * A draft on which appends can be tried before they are written, without changing this state.
   * Copies producers only when they write. Invalid once this state has changed.
   */
  StreamState draft() {
    return new StreamState(this);
  }

  public long incarnation() {
    return incarnation;
  }

  public StreamPath path() {
    return path;
  }

  public StreamConfig config() {
    return config;
  }

  @Nullable
  public StreamState source() {
    return source;
  }

  /** Where its own data begins; data before that is its source's. */
  public Offset base() {
    return new Offset(base);
  }

  /** The oldest position that it still keeps; inherited data may be kept for less long. */
  public Offset start() {
    long inherited = source == null ? 0 : Math.min(source.start().position(), base);
    return new Offset(Math.max(start, inherited));
  }

  public Offset tail() {
    return new Offset(tail);
  }

  public boolean closed() {
    return closed;
  }

  Optional<BatchStamp> closedBy() {
    return Optional.ofNullable(closedBy);
  }

  Optional<StreamSeq> lastSeq() {
    return Optional.ofNullable(lastSeq);
  }

  int forks() {
    return forks;
  }

  public StreamHead head() {
    return new StreamHead(path, config, incarnation, start(), tail(), closed);
  }

  @Nullable ProducerState producer(String id, boolean isManaged) {
    ProducerState own = (isManaged ? managed : declared).get(id);
    return own == null && origin != null ? origin.producer(id, isManaged) : own;
  }

  int producerCount() {
    StreamState before = origin;
    return before == null
        ? declared.size() + managed.size()
        : before.producerCount()
            + added(declared, before.declared)
            + added(managed, before.managed);
  }

  private static int added(Map<String, ProducerState> now, Map<String, ProducerState> before) {
    return (int) now.keySet().stream().filter(id -> !before.containsKey(id)).count();
  }

  /** All producers, in the order of their ids. */
  public List<StreamResult.Producer> producers() {
    return anyProducers()
        .sorted(
            Comparator.comparing(StreamResult.Producer::id)
                .thenComparing(StreamResult.Producer::managed))
        .toList();
  }

  /** Producers that were last used at or before this time, in any order. */
  Stream<StreamResult.Producer> producersIdleSince(long time) {
    return anyProducers().filter(p -> p.lastUsed() <= time);
  }

  private Stream<StreamResult.Producer> anyProducers() {
    return Stream.concat(seen(declared, false), seen(managed, true));
  }

  private static Stream<StreamResult.Producer> seen(
      Map<String, ProducerState> all, boolean isManaged) {
    return all.entrySet().stream().map(e -> e.getValue().seen(e.getKey(), isManaged));
  }

  public boolean expired(long now) {
    return !softDeleted && config.expiry().over(touched, now);
  }

  /** True: only its forks still see it, not its callers. */
  boolean goneFor(long now) {
    return softDeleted || (forks > 0 && expired(now));
  }

  public boolean softDeleted() {
    return softDeleted;
  }

  void apply(StreamChange.Appended change) {
    long first = tail;
    tail += change.body().length();
    seqAndClosure(change.seq(), change.closes(), change.stamp());
    change.stamp().ifPresent(s -> wrote(s, first, change.at(), change.body()));
    touch(change.at());
  }

  void apply(StreamChange.Closed change) {
    seqAndClosure(change.seq(), true, change.stamp());
    change.stamp().ifPresent(s -> wrote(s, tail, change.at(), AppendBody.EMPTY));
    touch(change.at());
  }

  private void seqAndClosure(Optional<StreamSeq> seq, boolean closes, Optional<BatchStamp> stamp) {
    seq.ifPresent(s -> lastSeq = s);
    if (closes) {
      closed = true;
      closedBy = stamp.orElse(null);
    }
  }

  private void wrote(BatchStamp stamp, long first, long now, AppendBody body) {
    ProducerTuple tuple = stamp.tuple();
    ProducerState state = ofProducer(tuple.id(), stamp.managed());
    state.wrote(tuple, first, tail, now);
    if (stamp.managed() && tuple.seq() == 0) {
      state.startsWith(ManagedEpochs.hash(body));
    }
  }

  private ProducerState ofProducer(String id, boolean isManaged) {
    return (isManaged ? managed : declared)
        .computeIfAbsent(
            id,
            k -> {
              ProducerState before = origin == null ? null : origin.producer(id, isManaged);
              return before == null ? new ProducerState() : before.copy();
            });
  }

  /** When it was last read or written. */
  public long touched() {
    return touched;
  }

  /** The window only moves forward, even if the clock goes back. */
  void touch(long now) {
    touched = Math.max(touched, now);
  }

  void trim(Offset newStart) {
    start = Math.max(start, newStart.position());
  }

  void forget(String id, boolean isManaged) {
    (isManaged ? managed : declared).remove(id);
  }

  void fence(String id, boolean isManaged, long epoch, long now) {
    ofProducer(id, isManaged).fence(epoch, now);
  }

  void addFork() {
    forks++;
  }

  void removeFork() {
    forks--;
  }

  void deleteSoftly() {
    softDeleted = true;
  }

  /** Writes it into a snapshot; reading counts the forks again. */
  public void writeTo(ByteSink out) {
    FieldWriter fields = new FieldWriter(out);
    out.number(incarnation);
    out.number(touched);
    fields.created(
        new StreamChange.Created(
            incarnation,
            touched,
            path,
            config,
            base(),
            source == null ? 0 : source.incarnation,
            AppendBody.EMPTY,
            closed));
    out.number(start);
    out.number(tail);
    fields.marks(closedBy(), lastSeq());
    fields.flag(softDeleted);
    writeProducers(out, declared);
    writeProducers(out, managed);
  }

  private static void writeProducers(ByteSink out, Map<String, ProducerState> producers) {
    out.number(producers.size());
    producers.forEach(
        (id, state) -> {
          out.text(id);
          state.writeTo(out);
        });
  }

  public static StreamState read(ByteSource in, StreamTable table) {
    FieldReader fields = new FieldReader(in);
    long incarnation = in.number();
    StreamChange.Created created = fields.created(incarnation, in.number());
    StreamState source = created.source() == 0 ? null : table.incarnation(created.source());
    StreamState state = new StreamState(created, source);
    state.start = in.number();
    state.tail = in.number();
    state.closedBy = fields.stamp().orElse(null);
    state.lastSeq = fields.seq().orElse(null);
    state.softDeleted = fields.flag();
    readProducers(in, state.declared);
    readProducers(in, state.managed);
    return state;
  }

  private static void readProducers(ByteSource in, Map<String, ProducerState> producers) {
    int count = in.count();
    for (int i = 0; i < count; i++) {
      producers.put(in.text(), ProducerState.read(in));
    }
  }

  /** Compares everything that a later decision can depend on. */
  @Override
  public boolean equals(Object other) {
    return other instanceof StreamState s && facts().equals(s.facts());
  }

  @Override
  public int hashCode() {
    return Long.hashCode(incarnation);
  }

  private List<Object> facts() {
    return List.of(
        incarnation,
        path,
        config,
        base,
        source == null ? 0 : source.incarnation,
        declared,
        managed,
        start,
        tail,
        closed,
        Optional.ofNullable(closedBy),
        Optional.ofNullable(lastSeq),
        List.of(touched, forks, softDeleted));
  }

  @Override
  public String toString() {
    return path + "#" + incarnation + " " + Objects.toString(facts());
  }
}
