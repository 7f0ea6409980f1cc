package dev.semel.idempotency.internal;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Payload;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.internal.Ids;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonNumber;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one process ran while its store was away: a file of JSON lines that exists only while it is
 * needed. A begin is on disk before the work starts. If a power failure loses an end, the begin
 * without an end counts as in doubt.
 *
 * <p>The file is locked while its process lives; another process takes over the journal of a dead
 * one. Its name identifies its process, because closing any channel of a locked file gives up the
 * process's lock: a process must not even open a file that it holds.
 */
public final class OutageJournal implements AutoCloseable {
  /** How many entries may wait for reconciliation; beyond it, further work is refused. */
  static final int MAX_ENTRIES = 100_000;

  /** The limit in bytes, mostly responses. */
  static final long MAX_BYTES = 64L << 20;

  private static final String SUFFIX = ".outage";

  private final Map<Token, Entry> entries = new LinkedHashMap<>();
  private Path file;

  /** Not used through a channel: an interrupt would close the channel, and release the lock. */
  private @Nullable RandomAccessFile open;

  /** The file may end within a line; the next one must start on a new line. */
  private boolean torn;

  /** The progress of an entry. */
  enum Stage {
    RUNNING,
    /** The work is over without a known end; on disk it has only begun. */
    UNKNOWN,
    ENDED,
    /** The work failed in a way that may be tried again. */
    RELEASED
  }

  /**
   * One execution.
   *
   * @param ending present once it has ended
   */
  record Entry(ClaimRequest claim, Stage stage, Optional<ExecutionEnd> ending) {}

  private OutageJournal(Path file) {
    this.file = file;
  }

  /** A journal of this process; its file appears with the first line. */
  static OutageJournal in(Path folder) {
    return new OutageJournal(folder.resolve(Ids.uuid7() + ofThisProcess()));
  }

  /** The end of the names of files that this process holds. */
  private static String ofThisProcess() {
    ProcessHandle process = ProcessHandle.current();
    Instant started = process.info().startInstant().orElse(Instant.EPOCH);
    return ".%d-%d%s".formatted(process.pid(), started.toEpochMilli(), SUFFIX);
  }

  /** The journals of dead processes, now locked by this one. */
  public static List<OutageJournal> abandoned(Path folder) {
    List<OutageJournal> found = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return found;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        if (!file.toString().endsWith(ofThisProcess())) {
          takeUp(file).ifPresent(found::add);
        }
      }
      return found;
    } catch (IOException e) {
      throw failed("read", e, folder);
    }
  }

  /** An unreadable journal is left to the next process, and does not stop the others. */
  private static Optional<OutageJournal> takeUp(Path file) {
    OutageJournal journal = new OutageJournal(file);
    try {
      if (!journal.lock()) {
        return Optional.empty();
      }
      journal.readAll();
      if (journal.entries.isEmpty()) {
        journal.delete();
        return Optional.empty();
      }
      journal.rename(ofThisProcess());
      return Optional.of(journal);
    } catch (IOException e) {
      journal.letGo();
      return Optional.empty();
    }
  }

  private boolean lock() throws IOException {
    RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw");
    try {
      if (opened.getChannel().tryLock() != null) {
        opened.seek(opened.length());
        torn = opened.length() > 0;
        open = opened;
        return true;
      }
    } catch (OverlappingFileLockException e) {
      // Another journal of this process, which reconciles it.
    }
    opened.close();
    return false;
  }

  synchronized int size() {
    return entries.size();
  }

  /** Entries that are over, oldest first; all entries of a dead process are. */
  synchronized List<Entry> over(boolean dead, int limit) {
    return entries.values().stream()
        .filter(entry -> dead || entry.stage() != Stage.RUNNING)
        .limit(limit)
        .toList();
  }

  /**
   * To be called before the work begins.
   *
   * @throws StoreException the entry can't be written, so the work must not begin
   */
  synchronized void begun(ClaimRequest claim) {
    if (entries.size() >= MAX_ENTRIES) {
      throw new StoreException(
          "the outage journal holds %d executions, its limit, so nothing more runs until the store is back"
              .formatted(MAX_ENTRIES));
    }
    append(
        Json.object()
            .with("begun", claim.token().text())
            .with("key", claim.key().text())
            .with("fingerprint", claim.fingerprint().text())
            .with("request", claim.requestId())
            .with("lease_ms", claim.lease().toMillis())
            .with("retention_ms", claim.retention().toMillis()),
        MAX_BYTES,
        true);
    entries.put(claim.token(), new Entry(claim, Stage.RUNNING, Optional.empty()));
  }

  /** In effect even if it can't be written: after a crash the entry would be in doubt. */
  synchronized void ended(Token token, ExecutionEnd ending) {
    move(token, Stage.ENDED, Optional.of(ending));
    append(
        Json.object()
            .with("ended", token.text())
            .with("state", String.valueOf(ending.state().code()))
            .with("type", ending.payload().type())
            .with("bytes", Base64.getEncoder().encodeToString(ending.payload().bytes())),
        MAX_BYTES,
        false);
  }

  /**
   * The work is over.
   *
   * @return true: its end was not reported
   */
  synchronized boolean left(Token token) {
    Entry entry = entries.get(token);
    if (entry == null || entry.stage() != Stage.RUNNING) {
      return false;
    }
    move(token, Stage.UNKNOWN, Optional.empty());
    return true;
  }

  synchronized void released(Token token) {
    move(token, Stage.RELEASED, Optional.empty());
    append(Json.object().with("released", token.text()), Long.MAX_VALUE, false);
  }

  private void move(Token token, Stage stage, Optional<ExecutionEnd> ending) {
    entries.computeIfPresent(token, (t, entry) -> new Entry(entry.claim(), stage, ending));
  }

  /** The entry has been reconciled. The last one deletes the file. */
  synchronized void settled(Token token) {
    append(Json.object().with("settled", token.text()), Long.MAX_VALUE, false);
    entries.remove(token);
    if (entries.isEmpty()) {
      try {
        delete();
      } catch (IOException e) {
        throw failed("delete", e, file);
      }
    }
  }

  private void delete() throws IOException {
    try {
      Files.deleteIfExists(file);
    } finally {
      letGo();
    }
  }

  /**
   * @param most how large the file may become; lines that empty the journal are written even when
   *     it is full
   */
  private void append(JsonObjectBuilder line, long most, boolean force) {
    try {
      if (open == null) {
        Files.createDirectories(file.toAbsolutePath().getParent());
        if (!lock()) {
          throw new StoreException("the outage journal %s is in use".formatted(file));
        }
      }
      RandomAccessFile held = open;
      String text = line.write();
      if (text.length() > Json.MAX_LENGTH) {
        throw new StoreException(
            "a line of %d characters does not fit into the outage journal %s: the limit is %d"
                .formatted(text.length(), file, Json.MAX_LENGTH));
      }
      byte[] bytes = ((torn ? "\n" : "") + text + "\n").getBytes(StandardCharsets.UTF_8);
      if (held == null || held.length() + bytes.length > most) {
        throw new StoreException(
            "the outage journal %s is full (%d bytes), so nothing more runs until the store is back"
                .formatted(file, MAX_BYTES));
      }
      torn = true;
      held.write(bytes);
      torn = false;
      if (force) {
        held.getFD().sync();
      }
    } catch (IOException e) {
      throw failed("write", e, file);
    }
  }

  private static StoreException failed(String what, IOException e, Path where) {
    return new StoreException(
        "can't %s the outage journal %s: %s".formatted(what, where, e.getMessage()), e);
  }

  /** Reads through the locked file: opening it again would cost the lock. */
  private void readAll() throws IOException {
    RandomAccessFile held = Objects.requireNonNull(open);
    byte[] all = new byte[Math.toIntExact(held.length())];
    held.seek(0);
    held.readFully(all);
    new String(all, StandardCharsets.UTF_8).lines().forEach(this::read);
  }

  /** Ignores a line that was cut short: its work had not begun, or is in doubt. */
  private void read(String text) {
    try {
      if (!(Json.parse(text) instanceof JsonObject line)) {
        return;
      }
      if (line.get("begun").isPresent()) {
        ClaimRequest claim = claim(line);
        entries.put(claim.token(), new Entry(claim, Stage.RUNNING, Optional.empty()));
      } else if (line.get("ended").isPresent()) {
        RecordState state = RecordState.of(text(line, "state").charAt(0));
        byte[] bytes = Base64.getDecoder().decode(text(line, "bytes"));
        ExecutionEnd ending = new ExecutionEnd(state, new Payload(text(line, "type"), bytes));
        move(Token.parse(text(line, "ended")), Stage.ENDED, Optional.of(ending));
      } else if (line.get("released").isPresent()) {
        move(Token.parse(text(line, "released")), Stage.RELEASED, Optional.empty());
      } else {
        entries.remove(Token.parse(text(line, "settled")));
      }
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
      // cut short, or of another version
    }
  }

  private static ClaimRequest claim(JsonObject line) {
    return new ClaimRequest(
        Key.parse(text(line, "key")),
        Token.parse(text(line, "begun")),
        new Fingerprint(text(line, "fingerprint")),
        Duration.ofMillis(number(line, "lease_ms")),
        Duration.ofMillis(number(line, "retention_ms")),
        TakeoverPolicy.IN_DOUBT,
        text(line, "request"));
  }

  private static String text(JsonObject line, String name) {
    if (line.get(name).orElse(null) instanceof JsonString string) {
      return string.text();
    }
    throw new InvalidInput("the line has no text " + name);
  }

  private static long number(JsonObject line, String name) {
    if (line.get(name).orElse(null) instanceof JsonNumber number) {
      return number.value().longValueExact();
    }
    throw new InvalidInput("the line has no number " + name);
  }

  /** Closes the file; if it has entries, leaves it for another process. */
  @Override
  public synchronized void close() {
    if (open != null) {
      rename(SUFFIX);
      letGo();
    }
  }

  /**
   * Keeps the part before the first dot. If the rename fails, only other processes take the file
   * over.
   */
  private void rename(String ending) {
    String name = String.valueOf(file.getFileName());
    Path next = file.resolveSibling(name.substring(0, name.indexOf('.')) + ending);
    try {
      Files.move(file, next, StandardCopyOption.ATOMIC_MOVE);
      file = next;
    } catch (IOException e) {
      // Other processes find it under its old name.
    }
  }

  private void letGo() {
    RandomAccessFile held = open;
    open = null;
    if (held != null) {
      try {
        held.close();
      } catch (IOException e) {
        // The lines are written; the lock ends with the process at the latest.
      }
    }
  }
}
