package dev.semel.rabbitmq;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** The JDK's TLS for the stream client, with verification of the host name. */
final class StreamTls extends DelegatingSslContext {
  private StreamTls(SslContext jdk) {
    super(jdk);
  }

  static SslContext of(SSLContext context) {
    return new StreamTls(
        new JdkSslContext(
            context,
            true,
            null,
            IdentityCipherSuiteFilter.INSTANCE,
            ApplicationProtocolConfig.DISABLED,
            ClientAuth.NONE,
            null,
            false));
  }

  @Override
  protected void initEngine(SSLEngine engine) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
  }
}
