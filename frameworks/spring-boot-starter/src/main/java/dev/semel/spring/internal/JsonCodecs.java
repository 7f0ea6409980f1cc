package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Fingerprinters;
import dev.semel.spring.ResultCodecs;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;

/** Codecs by Jackson, with the application's settings. */
public final class JsonCodecs implements ResultCodecs {
  private final ObjectMapper mapper;

  public JsonCodecs(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  @Override
  public Codec<Result> codec(Type type) {
    if (type == void.class || type == Void.class) {
      return PlainCodecs.NOTHING;
    }
    JavaType known = mapper.constructType(type);
    if (known.isJavaLangObject()) {
      throw new InvalidInput(
          "a result of which only Object is known would come back from JSON as another type, such as a map: declare the type that it has");
    }
    return new JsonCodec(mapper, known);
  }

  @Override
  public Fingerprint fingerprint(List<? extends @Nullable Object> values) {
    try {
      // Canonical JSON, so that the order of a map's entries does not matter.
      return Fingerprinters.HASHED.json().of(mapper.writeValueAsBytes(values)).getFirst();
    } catch (JacksonException e) {
      throw new InvalidInput(
          "the arguments can't be written as JSON to be compared: name what counts with @Idempotent(fingerprint = \"…\"), or compare nothing with \"''\" ("
              + e.getOriginalMessage()
              + ")");
    }
  }

  private record JsonCodec(ObjectMapper mapper, JavaType javaType) implements Codec<Result> {
    @Override
    public String type() {
      return "application/json";
    }

    @Override
    public byte[] encode(Result result) {
      return mapper.writerFor(javaType).writeValueAsBytes(result.value());
    }

    @Override
    public Result decode(byte[] bytes) {
      return new Result(mapper.<@Nullable Object>readValue(bytes, javaType));
    }
  }
}
