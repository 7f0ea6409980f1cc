package dev.semel.redis.internal;

import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A script that Redis runs atomically; its keys share one slot. */
public interface LuaScript {
  ScriptOutputType output();

  String body();

  /** The hash by which Redis finds the script. */
  String sha1();

  static String sha1(String body) {
    try {
      // Redis identifies scripts by SHA-1; security does not depend on it.
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
