package dev.semel.cli.messages;

import static java.util.stream.Collectors.joining;

import dev.semel.cli.ByteSizes;
import dev.semel.cli.run.RunCodec;
import dev.semel.cli.run.RunResult;
import dev.semel.idempotency.Payload;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Renders a stored result: its parts by name, as text if they are text. */
public final class PayloadView {
  private final Optional<RunResult> run;
  private final Map<String, byte[]> parts = new LinkedHashMap<>();

  private PayloadView(Optional<RunResult> run, Payload payload) {
    this.run = run;
    if (run.isPresent()) {
      parts.put("stdout", run.get().out().kept());
      parts.put("stderr", run.get().err().kept());
    } else {
      parts.put("body", payload.bytes());
    }
  }

  public static PayloadView of(Payload payload) {
    if (payload.type().equals(RunCodec.TYPE)) {
      try {
        return new PayloadView(Optional.of(new RunCodec().decode(payload.bytes())), payload);
      } catch (RunCodec.ForeignRecord e) {
        return new PayloadView(Optional.empty(), payload); // shown as bytes
      }
    }
    return new PayloadView(Optional.empty(), payload);
  }

  public JsonValue json() {
    JsonObjectBuilder members = Json.object();
    run.ifPresent(
        result ->
            members
                .with("exit_code", result.exitCode())
                .with("stdout_bytes", result.out().total())
                .with("stderr_bytes", result.err().total()));
    parts.forEach(
        (name, bytes) ->
            text(bytes)
                .ifPresentOrElse(
                    text -> members.with(name, text),
                    () ->
                        members.with(name + "_base64", Base64.getEncoder().encodeToString(bytes))));
    return members.build();
  }

  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    parts.forEach(
        (name, bytes) -> {
          if (bytes.length > 0) {
            lines.add("");
            lines.add("--- %s (%s)".formatted(name, ByteSizes.text(bytes.length)));
            text(bytes)
                .ifPresentOrElse(
                    text -> text.lines().map(PayloadView::printable).forEach(lines::add),
                    () -> lines.add("binary; use -o json to get it as base64"));
          }
        });
    return lines;
  }

  /** Keeps tabs, which tables of plain text consist of and which do no harm. */
  private static String printable(String line) {
    return Arrays.stream(line.split("\t", -1)).map(PrintableText::safe).collect(joining("\t"));
  }

  private static Optional<String> text(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
