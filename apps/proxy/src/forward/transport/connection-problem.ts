const unknownIssuer = "the upstream's certificate is not of a known authority (VDS_UPSTREAM_CA_FILE)";
const noCommonVersion = 'the upstream and the proxy have no TLS version in common (VDS_UPSTREAM_MIN_TLS)';
const certificateWanted = 'the upstream wants a client certificate (VDS_UPSTREAM_CERT_FILE)';

/** What the codes of Node and OpenSSL mean, in fixed words. */
const problems: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  EGRESS_REJECTED: 'the egress proxy rejected the connection (VDS_UPSTREAM_PROXY)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  CERT_HAS_EXPIRED: "the upstream's certificate has expired",
  CERT_NOT_YET_VALID: "the upstream's certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "the upstream's certificate is for another host name",
  ERR_SSL_WRONG_VERSION_NUMBER: 'the upstream speaks no TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the upstream speaks no TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: noCommonVersion,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: noCommonVersion,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: certificateWanted,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: certificateWanted,
  ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE: certificateWanted,
};

/** What OpenSSL says inside an `EPROTO`, which comes when bytes were being written. */
const protocolProblems: readonly (readonly [RegExp, string])[] = [
  [/alert protocol version|unsupported protocol/, noCommonVersion],
  [/certificate required|handshake failure/, certificateWanted],
  [/wrong version number|packet length too long/, 'the upstream speaks no TLS on this port'],
];

/** What keeps a connection from being made, in fixed words; empty when the error says nothing that is known. */
export function connectionProblem(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && error.code === 'EPROTO' && 'message' in error) {
    const text = String(error.message);
    return protocolProblems.find(([form]) => form.test(text))?.[1] ?? '';
  }
  if ('code' in error && typeof error.code === 'string' && error.code in problems) return problems[error.code] ?? '';
  return 'cause' in error ? connectionProblem(error.cause) : '';
}

/** Whether a problem shows before the request has been read, although the connection was made: TLS 1.3 says so late. */
export function isLateRejection(problem: string): boolean {
  return problem === certificateWanted;
}
