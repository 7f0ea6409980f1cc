package dev.semel.server.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/** Recognises addresses and names of this machine alone. */
public final class LoopbackAddresses {
  private LoopbackAddresses() {}

  /** Whether other machines can't connect to a server that listens on this host. */
  public static boolean isAddress(String host) {
    try {
      InetAddress[] all = InetAddress.getAllByName(host);
      for (InetAddress address : all) {
        if (!address.isLoopbackAddress()) {
          return false;
        }
      }
      return all.length > 0;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Whether a Host header is one that only this machine answers to; asks no DNS. */
  public static boolean names(String hostHeader) {
    String host = withoutPort(hostHeader).toLowerCase(Locale.ROOT);
    return host.equals("localhost")
        || host.endsWith(".localhost")
        || host.equals("[::1]")
        || isFourPart127(host);
  }

  private static String withoutPort(String text) {
    int colon = text.lastIndexOf(':');
    return colon < 0 || text.indexOf(']', colon) >= 0 ? text : text.substring(0, colon);
  }

  private static boolean isFourPart127(String host) {
    int dots = 0;
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      dots += c == '.' ? 1 : 0;
      if (c != '.' && (c < '0' || c > '9')) {
        return false;
      }
    }
    return dots == 3 && host.startsWith("127.");
  }
}
