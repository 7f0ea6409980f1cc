package dev.semel.stream;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What streams do, told a second time and as simply as possible: texts that are copied, histories
 * that are never forgotten, answers as words. It shares no rule with the code it is compared to.
 */
final class Model {
  static final int FIVE = 5;

  /** A request to append, in plain values; {@code epoch} -1 means that none is named. */
  record Request(
      boolean json,
      List<String> messages,
      boolean close,
      String kind,
      String id,
      long epoch,
      long seq,
      @Nullable String streamSeq,
      long ifMatch) {}

  private static final class Life {
    final long epoch;
    final List<String> batches = new ArrayList<>(); // "start-end" by sequence
    String first = "";

    Life(long epoch) {
      this.epoch = epoch;
    }
  }

  private static final class Stream {
    boolean json;
    long idleMillis;
    long touched;
    String content = "";
    final TreeSet<Integer> messageEnds = new TreeSet<>();
    final TreeSet<Integer> appendEnds = new TreeSet<>();
    boolean closed;
    String closer = "";
    @Nullable String lastSeq;
    final Map<String, Life> producers = new HashMap<>();
    @Nullable Stream source;
    String origin = "";
    int forks;
    boolean deleted;

    void add(List<String> messages) {
      for (String message : messages) {
        content += json ? message + "," : message;
        messageEnds.add(content.length());
      }
      appendEnds.add(content.length());
    }
  }

  private final Map<String, Stream> streams = new TreeMap<>();
  long now;

  /** What would be accepted, so that random requests get somewhere: type, epoch, sequence, tail. */
  record Hint(boolean json, long epoch, long seq, long tail) {}

  Hint hint(String path, String kind, String id) {
    Stream stream = streams.get(path);
    if (stream == null) {
      return new Hint(true, 0, 0, 0);
    }
    Life life = stream.producers.get(kind + "/" + id);
    return new Hint(
        stream.json,
        life == null ? 0 : life.epoch,
        life == null ? 0 : life.batches.size(),
        stream.content.length());
  }

  /** missing, gone, or nothing. */
  private String state(@Nullable Stream stream) {
    if (stream == null) {
      return "missing";
    }
    boolean over = now - stream.touched >= stream.idleMillis;
    return stream.deleted || (over && stream.forks > 0) ? "gone" : over ? "missing" : "";
  }

  private void drop(String path, Stream stream) {
    if (stream.forks > 0) {
      stream.deleted = true;
      return;
    }
    streams.remove(path);
    Stream source = stream.source;
    if (source != null && --source.forks == 0 && source.deleted) {
      streams.entrySet().stream()
          .filter(e -> e.getValue() == source)
          .map(Map.Entry::getKey)
          .findFirst()
          .ifPresent(p -> drop(p, source));
    }
  }

  void sweep() {
    for (String path : List.copyOf(streams.keySet())) {
      Stream stream = streams.get(path);
      if (stream != null && !stream.deleted && now - stream.touched >= stream.idleMillis) {
        drop(path, stream);
      }
    }
  }

  String create(String path, boolean json, long idleMillis) {
    Stream there = streams.get(path);
    if (state(there).equals("gone")) {
      return "conflict PATH_HELD_FOR_FORKS";
    }
    if (there != null && state(there).isEmpty()) {
      boolean same =
          there.json == json
              && there.idleMillis == idleMillis
              && !there.closed
              && there.origin.isEmpty();
      return same ? "existed" : "conflict OTHER_CONFIGURATION";
    }
    if (there != null) {
      drop(path, there);
    }
    Stream stream = new Stream();
    stream.json = json;
    stream.idleMillis = idleMillis;
    stream.touched = now;
    streams.put(path, stream);
    return "created 0";
  }

  String fork(String path, String from, int anchor, int beyond) {
    Stream there = streams.get(path);
    String origin = from + "@" + anchor + "+" + beyond;
    if (state(there).equals("gone")) {
      return "conflict PATH_HELD_FOR_FORKS";
    }
    if (there != null && state(there).isEmpty()) {
      return there.origin.equals(origin) && !there.closed
          ? "existed"
          : "conflict OTHER_CONFIGURATION";
    }
    Stream source = streams.get(from);
    if (source == null || state(source).equals("missing")) {
      return "source missing";
    }
    if (state(source).equals("gone")) {
      return "conflict SOURCE_GONE";
    }
    int base = base(source, anchor, beyond);
    if (base < 0) {
      return "malformed";
    }
    if (there != null) {
      drop(path, there);
    }
    Stream stream = new Stream();
    stream.json = source.json;
    stream.idleMillis = source.idleMillis;
    stream.touched = now;
    stream.content = source.content.substring(0, base);
    stream.messageEnds.addAll(source.messageEnds.headSet(base, true));
    stream.appendEnds.addAll(source.appendEnds.headSet(base, true));
    stream.appendEnds.add(base);
    stream.source = source;
    stream.origin = origin;
    source.forks++;
    streams.put(path, stream);
    return "created " + base;
  }

  private static int base(Stream source, int anchor, int beyond) {
    if (anchor > source.content.length()) {
      return -1;
    }
    if (source.json && anchor > 0 && !source.messageEnds.contains(anchor)) {
      return -1;
    }
    Integer end = source.appendEnds.higher(anchor);
    if (beyond == 0) {
      return anchor;
    }
    if (end == null) {
      return -1;
    }
    if (!source.json) {
      return anchor + beyond <= end ? anchor + beyond : -1;
    }
    List<Integer> ends = List.copyOf(source.messageEnds.subSet(anchor, false, end, true));
    return beyond <= ends.size() ? ends.get(beyond - 1) : -1;
  }

  String delete(String path) {
    Stream stream = streams.get(path);
    String state = state(stream);
    if (!state.isEmpty() || stream == null) {
      return state;
    }
    drop(path, stream);
    return "deleted";
  }

  String read(String path) {
    Stream stream = streams.get(path);
    String state = state(stream);
    if (!state.isEmpty() || stream == null) {
      return state;
    }
    stream.touched = now;
    String text = stream.content;
    String body =
        !stream.json
            ? text
            : "[" + (text.isEmpty() ? "" : text.substring(0, text.length() - 1)) + "]";
    return body + (stream.closed ? " closed" : "");
  }

  String append(String path, Request r) {
    Stream stream = streams.get(path);
    String state = state(stream);
    if (!state.isEmpty() || stream == null) {
      return state;
    }
    String who = r.kind + "/" + r.id;
    Life life = stream.producers.get(who);
    boolean known = !r.kind.equals("nobody");
    int tail = stream.content.length();
    if (stream.closed) {
      long epoch = r.epoch >= 0 || life == null ? r.epoch : life.epoch;
      boolean same =
          life != null
              && life.first.equals(String.join("\n", r.messages))
              && (r.messages.isEmpty() || r.json == stream.json);
      boolean restart = r.kind.equals("managed") && r.epoch < 0 && r.seq == 0 && !same;
      if (known && !restart && stream.closer.equals(who + "/" + epoch + "/" + r.seq)) {
        return again(stream, r, life);
      }
      if (!known && r.messages.isEmpty()) {
        stream.touched = now;
        return "closed " + tail;
      }
      return "refused, closed " + tail;
    }
    if (!r.messages.isEmpty() && r.json != stream.json) {
      return "other type";
    }
    long epoch = r.epoch;
    String text = String.join("\n", r.messages);
    if (r.kind.equals("managed")) {
      if (life != null && r.epoch >= 0 && r.epoch != life.epoch) {
        return r.epoch < life.epoch ? "stale " + life.epoch : "malformed";
      }
      boolean early = life != null && life.batches.size() <= FIVE && life.first.equals(text);
      boolean restart = life != null && r.seq == 0 && r.epoch < 0 && !early;
      epoch = life == null ? 1 : restart ? life.epoch + 1 : life.epoch;
    }
    if (known) {
      if (life != null && epoch < life.epoch) {
        return "stale " + life.epoch;
      }
      if (life != null && epoch > life.epoch && r.seq != 0) {
        return "malformed";
      }
      int next = life == null || epoch > life.epoch ? 0 : life.batches.size();
      if (r.seq < next) {
        return again(stream, r, life);
      }
      if (r.seq > next) {
        return "gap " + next + " " + r.seq;
      }
    }
    if (r.ifMatch >= 0 && r.ifMatch != tail) {
      return "moved " + tail;
    }
    if (r.streamSeq != null
        && stream.lastSeq != null
        && r.streamSeq.compareTo(stream.lastSeq) <= 0) {
      return "regression " + stream.lastSeq;
    }
    if (!r.messages.isEmpty()) {
      stream.add(r.messages);
    }
    stream.touched = now;
    stream.lastSeq = r.streamSeq == null ? stream.lastSeq : r.streamSeq;
    String mark = known ? " " + r.id + "/" + epoch + "/" + r.seq : "";
    if (known) {
      if (life == null || r.seq == 0) {
        life = new Life(epoch);
        life.first = text;
        stream.producers.put(who, life);
      }
      life.batches.add(tail + "-" + stream.content.length());
    }
    if (r.close) {
      stream.closed = true;
      stream.closer = known ? who + "/" + epoch + "/" + r.seq : "";
    }
    return r.messages.isEmpty()
        ? "closed " + tail + mark
        : "appended "
            + tail
            + "-"
            + stream.content.length()
            + (r.close ? " and closed" : "")
            + mark;
  }

  private String again(Stream stream, Request r, @Nullable Life life) {
    if (life == null) {
      throw new AssertionError("only who was here can be here again");
    }
    stream.touched = now;
    int last = life.batches.size() - 1;
    String first = r.seq > last - FIVE ? " " + life.batches.get((int) r.seq) : "";
    return "duplicate "
        + r.id
        + "/"
        + life.epoch
        + "/"
        + last
        + first
        + (stream.closed ? " closed" : "");
  }
}
