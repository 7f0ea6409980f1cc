package dev.semel.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.nio.charset.StandardCharsets;

/**
 * Removes {@code Upgrade: h2c} from the first request of a connection. Behind a proxy that passes
 * this header on, a caller would get a connection to the server past the proxy's rules. Callers
 * without TLS may still begin with HTTP/2, but Vert.x can't allow one without the other; it
 * upgrades only with the first request. The server then answers in HTTP/1.1, as one that does not
 * know HTTP/2. For one connection.
 */
final class UpgradeGuard extends ChannelInboundHandlerAdapter {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Vert.x's name of its HTTP decoder. */
  private static final String DECODER = "httpDecoder";

  private int matched;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    int start = bytes.readerIndex();
    int length = bytes.readableBytes();
    int read = 0;
    while (read < length
        && matched < PREFACE.length
        && bytes.getByte(start + read) == PREFACE[matched]) {
      read++;
      matched++;
    }
    if (matched == PREFACE.length) {
      context.pipeline().remove(this);
      context.fireChannelRead(bytes);
    } else if (read == length) {
      context.fireChannelRead(bytes);
    } else {
      beginHttp1(context, bytes, read + 1);
    }
  }

  /**
   * @param decided how many bytes show that it is not HTTP/2: they make Vert.x set itself up for
   *     HTTP/1.1, and they are no whole request yet
   */
  private void beginHttp1(ChannelHandlerContext context, ByteBuf bytes, int decided) {
    context.fireChannelRead(bytes.readRetainedSlice(decided));
    if (context.pipeline().get(DECODER) == null) {
      bytes.release();
      ChannelFuture unused = context.close();
      return;
    }
    context.pipeline().addAfter(DECODER, null, new WithoutUpgrade());
    context.pipeline().remove(this);
    context.fireChannelRead(bytes);
  }

  private static final class WithoutUpgrade extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest request) {
        context.pipeline().remove(this);
        if (request.headers().containsValue(HttpHeaderNames.UPGRADE, "h2c", true)) {
          request.headers().remove(HttpHeaderNames.UPGRADE);
        }
      }
      context.fireChannelRead(message);
    }
  }
}
