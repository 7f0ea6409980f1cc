package dev.semel.internal;

import dev.semel.InvalidInput;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that runs the command of {@code semel run}. The record holds it after the caller's
 * own request id, as {@code host/pid@start}, so that operators who find a key in flight know where
 * to look.
 *
 * @param host its name, cut if there is no room for all of it
 * @param started distinguishes a process from a later one with the same number
 */
public record ClaimingProcess(String host, long pid, Instant started) {
  /** How long a caller's own id may be beside this. */
  public static final int MAX_REQUEST_ID_BYTES = 96;

  /** How long a record's request id may be. */
  private static final int ROOM_BYTES = 128;

  private static final Pattern TEXT =
      Pattern.compile("(?:(?<own>.*) )?(?<host>[^ /@]*)/(?<pid>\\d{1,10})@(?<start>\\d{1,16})");
  private static final Pattern NOT_IN_HOSTS = Pattern.compile("[^A-Za-z0-9._-]");

  public ClaimingProcess {
    host = NOT_IN_HOSTS.matcher(host).replaceAll("-");
  }

  /** The process that the text names, if any. */
  public static Optional<ClaimingProcess> in(String requestId) {
    Matcher text = TEXT.matcher(requestId);
    return text.matches()
        ? Optional.of(
            new ClaimingProcess(
                text.group("host"),
                Long.parseLong(text.group("pid")),
                Instant.ofEpochMilli(Long.parseLong(text.group("start")))))
        : Optional.empty();
  }

  /** The recorded text of two parts that were shown separately. */
  public static String joined(String own, String claimant) {
    return own.isEmpty() || claimant.isEmpty() ? own + claimant : own + " " + claimant;
  }

  /** The recorded form: {@code host/pid@start}, where the start is in milliseconds. */
  public String text() {
    return "%s/%d@%d".formatted(host, pid, started.toEpochMilli());
  }

  /** The caller's own part of a recorded text; empty if there is none. */
  public static String ownId(String requestId) {
    Matcher text = TEXT.matcher(requestId);
    if (!text.matches()) {
      return requestId;
    }
    String own = text.group("own");
    return own == null ? "" : own;
  }

  /**
   * The text to record.
   *
   * @param own the caller's own id; may be empty
   */
  public String requestId(String own) {
    int bytes = own.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_REQUEST_ID_BYTES) {
      throw new InvalidInput(
          "a request id has at most %d bytes here, not %d".formatted(MAX_REQUEST_ID_BYTES, bytes));
    }
    String before = own.isEmpty() ? "" : own + " ";
    String behind = "/%d@%d".formatted(pid, started.toEpochMilli());
    int room = ROOM_BYTES - before.getBytes(StandardCharsets.UTF_8).length - behind.length();
    return before + fitting(room) + behind;
  }

  /** Whether the process is on this host, whose name may have been cut. */
  public boolean isOn(String name) {
    String whole = NOT_IN_HOSTS.matcher(name).replaceAll("-");
    return !host.isEmpty() && whole.startsWith(host);
  }

  private String fitting(int room) {
    return host.substring(0, Math.min(host.length(), room));
  }

  /** For people: {@code host-7/4711}. */
  @Override
  public String toString() {
    return host + "/" + pid;
  }
}
