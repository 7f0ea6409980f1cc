package dev.semel.redis.internal;

import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A step that Redis runs by itself, all of it or nothing; its keys share one slot. */
public interface LuaScript {
  ScriptOutputType output();

  String body();

  /** What Redis knows it by. */
  String sha1();

  static String sha1(String body) {
    try {
      // Redis names scripts by their SHA-1; nothing depends on its strength.
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
