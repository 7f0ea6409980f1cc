package dev.semel.server.subscription.internal.rules;

/** The protocol's error codes, with the status of each. */
public enum ProtocolCode {
  INVALID_REQUEST(400),
  WEBHOOK_URL_REJECTED(400),
  TOKEN_INVALID(401),
  SUBSCRIPTION_NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  SUBSCRIPTION_ALREADY_EXISTS(409),
  ALREADY_CLAIMED(409),
  NO_PENDING_WORK(409),
  FENCED(409),
  INVALID_OFFSET(409),
  LIMIT_REACHED(409),
  REQUEST_TOO_LARGE(413),
  INTERNAL(500),
  UNAVAILABLE(503);

  private final int status;

  ProtocolCode(int status) {
    this.status = status;
  }

  public int status() {
    return status;
  }
}
