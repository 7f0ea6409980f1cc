package dev.semel.server.subscription.internal.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Recognises addresses that are open to everyone on the internet, and so are safe targets. */
final class PublicAddresses {
  /** All addresses that begin with the same bits. */
  private static final class Block {
    private final byte[] address;
    private final int bits;

    Block(String text) {
      int slash = text.indexOf('/');
      this.address = HexFormat.of().parseHex(text.substring(0, slash));
      this.bits = Integer.parseInt(text.substring(slash + 1));
    }

    boolean contains(byte[] other) {
      int whole = bits / 8;
      int mask = 0xFF00 >> bits % 8 & 0xFF;
      return other.length == address.length
          && Arrays.equals(other, 0, whole, address, 0, whole)
          && (mask == 0 || (other[whole] & mask) == (address[whole] & mask));
    }
  }

  /** All that is not the open internet, by IANA's registries, and one block that a cloud uses. */
  private static final List<Block> CLOSED_4 =
      blocks(
          "00000000/8", // this network
          "0a000000/8", // private
          "64400000/10", // shared by carriers; some clouds' metadata
          "7f000000/8", // loopback
          "a83f8110/32", // a cloud's metadata on a public address
          "a9fe0000/16", // link-local; metadata
          "ac100000/12", // private
          "c0000000/24", // protocol assignments; metadata
          "c0000200/24", // documentation
          "c0586300/24", // relays of 6to4
          "c0a80000/16", // private
          "c6120000/15", // benchmarks
          "c6336400/24", // documentation
          "cb007100/24", // documentation
          "e0000000/4", // multicast
          "f0000000/4"); // reserved, broadcast

  /** Only this block of version 6 is open, except those below. */
  private static final Block OPEN_6 = new Block("20000000000000000000000000000000/3");

  private static final List<Block> CLOSED_6 =
      blocks(
          "20010000000000000000000000000000/23", // protocol assignments; tunnels to version 4
          "20010db8000000000000000000000000/32", // documentation
          "20020000000000000000000000000000/16", // 6to4: any address of version 4 inside
          "3fff0000000000000000000000000000/20"); // documentation

  private PublicAddresses() {}

  private static List<Block> blocks(String... texts) {
    return Arrays.stream(texts).map(Block::new).toList();
  }

  /** Java already converts addresses of version 4 that come as version 6. */
  static boolean open(InetAddress address) {
    byte[] bytes = address.getAddress();
    return address instanceof Inet4Address
        ? CLOSED_4.stream().noneMatch(block -> block.contains(bytes))
        : OPEN_6.contains(bytes) && CLOSED_6.stream().noneMatch(block -> block.contains(bytes));
  }
}
