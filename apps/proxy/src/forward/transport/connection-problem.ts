const certificateWanted = 'the upstream wants a client certificate (VDS_UPSTREAM_CERT_FILE)';

/** What the codes of Node and OpenSSL mean, and what OpenSSL says inside an `EPROTO`, in fixed words. */
const problems: readonly (readonly [RegExp, string])[] = [
  [/^ENOTFOUND$/, 'the host name is not known'],
  [/^EAI_AGAIN$/, 'the host name could not be looked up'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^ECONNRESET$/, 'the connection was reset'],
  [/^EHOSTUNREACH$/, 'there is no route to the host'],
  [/^ENETUNREACH$/, 'there is no route to the network'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'no connection in time'],
  [/^EGRESS_REJECTED$/, 'the egress proxy rejected the connection (VDS_UPSTREAM_PROXY)'],
  [/^CERT_HAS_EXPIRED$/, "the upstream's certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "the upstream's certificate is not valid yet"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "the upstream's certificate is for another host name"],
  [
    /^UNABLE_TO_(VERIFY|GET_ISSUER)|^SELF_SIGNED_CERT|^DEPTH_ZERO/,
    "the upstream's certificate is not of a known authority (VDS_UPSTREAM_CA_FILE)",
  ],
  [/wrong.version.number|packet.length.too.long/i, 'the upstream speaks no TLS on this port'],
  [
    /unsupported.protocol|alert.protocol.version/i,
    'the upstream and the proxy have no TLS version in common (VDS_UPSTREAM_MIN_TLS)',
  ],
  [/certificate.required|handshake.failure/i, certificateWanted],
];

/** What keeps a connection from being made, in fixed words; empty when the error says nothing that is known. */
export function connectionProblem(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const code = 'code' in error ? String(error.code) : '';
  const text = code === 'EPROTO' && 'message' in error ? String(error.message) : code;
  const known = problems.find(([form]) => form.test(text))?.[1];
  return known ?? ('cause' in error ? connectionProblem(error.cause) : '');
}

/** Whether a problem shows before the request has been read, although the connection was made: TLS 1.3 says so late. */
export function isLateRejection(problem: string): boolean {
  return problem === certificateWanted;
}
