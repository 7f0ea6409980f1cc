package dev.semel.cli.keys;

import dev.semel.InvalidInput;
import dev.semel.cli.ByteSizes;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.idempotency.Fingerprinter;
import dev.semel.idempotency.Fingerprinters;
import dev.semel.idempotency.KeyStrategies;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the fingerprint and the id that the library makes for a request. */
@CommandLine.Command(
    name = "hash",
    header = "Show a request's fingerprint, and the id made from its fields.",
    footer = {
      "",
      "Examples:",
      "  semel keys hash request.json --json",
      "  echo '{\"order\":7,\"amount\":49.90}' | semel keys hash --fields order,amount"
    })
final class KeysHashCommand implements Callable<Integer> {
  /** Longest request that is read. */
  private static final int MAX_BYTES = 16 << 20;

  private static final String STANDARD_INPUT = "-";

  private final SemelCommand semel;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = STANDARD_INPUT,
      description = "The request's body; - is standard input (the default).")
  private String file = STANDARD_INPUT;

  @Option(names = "--json", description = "As JSON: order and spelling of members don't count.")
  private boolean json;

  @Option(
      names = "--fields",
      paramLabel = "A,B",
      split = ",",
      description = "Only these fields of a JSON body count, such as amount,customer.id.")
  private List<String> fields = new ArrayList<>();

  @Option(names = "--clear", description = "Readable instead of hashed, where it fits.")
  private boolean clear;

  KeysHashCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    OutputFormat format = semel.settings().output();
    byte[] body = body();
    Map<String, String> shown = new LinkedHashMap<>();
    shown.put("fingerprint", fingerprinter().of(body).get(0).text());
    if (!fields.isEmpty()) {
      shown.put("id", KeyStrategies.contentHash(fields.toArray(new String[0])).keying(body).id());
    }
    if (format.machine()) {
      JsonObjectBuilder members = Json.object();
      shown.forEach(members::with);
      semel.console().line(members.write());
    } else {
      shown.forEach((name, value) -> semel.console().line(line(name, value, format)));
    }
    return ExitCode.OK;
  }

  /** A single value stands alone, so that it can be copied. */
  private String line(String name, String value, OutputFormat format) {
    String safe = PrintableText.safe(value);
    if (fields.isEmpty()) {
      return safe;
    }
    return format == OutputFormat.PLAIN ? name + "\t" + safe : "%-13s%s".formatted(name, safe);
  }

  private Fingerprinter<byte[]> fingerprinter() {
    Fingerprinters form = clear ? Fingerprinters.CLEAR : Fingerprinters.HASHED;
    if (!fields.isEmpty()) {
      return form.fields(1, fields);
    }
    return json ? form.json() : form.raw();
  }

  private byte[] body() {
    try (InputStream in = open()) {
      byte[] body = in.readNBytes(MAX_BYTES + 1);
      if (body.length > MAX_BYTES) {
        throw new InvalidInput("the request is larger than " + ByteSizes.text(MAX_BYTES));
      }
      return body;
    } catch (IOException | InvalidPathException e) {
      throw new InvalidInput(
          "%s can't be read: check that it is there and may be read"
              .formatted(PrintableText.quoted(file)));
    }
  }

  private InputStream open() throws IOException {
    return file.equals(STANDARD_INPUT)
        ? semel.console().streams().in()
        : Files.newInputStream(semel.around().folder().resolve(file));
  }
}
