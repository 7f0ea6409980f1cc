package dev.semel.server.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Java's sockets, with our handler before the one that takes new connections. Vert.x offers no
 * other place to see a failed accept, or a connection that has not sent anything yet.
 */
final class CountingTransport implements Transport, io.vertx.core.spi.transport.Transport {
  private final io.vertx.core.spi.transport.Transport java = Transport.NIO.implementation();
  private final ChannelHandler acceptor;

  CountingTransport(ChannelHandler acceptor) {
    this.acceptor = acceptor;
  }

  @Override
  public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
    java.configure(config, domainSocket, bootstrap);
    bootstrap.handler(acceptor);
  }

  @Override
  public String name() {
    return Transport.NIO.name();
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return this;
  }

  @Override
  public boolean supportsDomainSockets() {
    return java.supportsDomainSockets();
  }

  @Override
  public boolean supportFileRegion() {
    return java.supportFileRegion();
  }

  @Override
  public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
    return java.convert(address);
  }

  @Override
  public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
    return java.convert(address);
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return java.ioHandlerFactory();
  }

  @Override
  public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ratio) {
    return java.eventLoopGroup(type, threads, factory, ratio);
  }

  @Override
  @SuppressWarnings("deprecation") // Vert.x requires it
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return java.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
    return java.datagramChannelFactory();
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return java.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return java.serverChannelFactory(domainSocket);
  }

  @Override
  public void configure(DatagramChannel channel, DatagramSocketOptions options) {
    java.configure(channel, options);
  }

  @Override
  public void configure(TcpConfig config, boolean domainSocket, Bootstrap bootstrap) {
    java.configure(config, domainSocket, bootstrap);
  }
}
