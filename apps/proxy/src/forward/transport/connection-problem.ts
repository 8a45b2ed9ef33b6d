const certificateWanted = 'the server wants a client certificate (VDS_UPSTREAM_CERT_FILE)';

/** What keeps a connection from being made, in fixed words. A problem that `mayHaveSent` can be that of an open connection as well. */
type Problem = readonly [form: RegExp, words: string, mayHaveSent?: 'mayHaveSent'];

/** By the codes of Node and Bun, and by what OpenSSL says inside an `EPROTO` and Deno in its message. */
const problems: readonly Problem[] = [
  [/^ENOTFOUND$/, 'the host name is not known'],
  [/^EAI_/, 'the host name could not be looked up'],
  [/^(ECONNREFUSED|ConnectionRefused|FailedToOpenSocket)$/, 'the connection was refused'],
  [/^EHOSTUNREACH$/, 'there is no route to the host'],
  [/^ENETUNREACH$/, 'there is no route to the network'],
  [/^UND_ERR_CONNECT_TIMEOUT$/, 'no connection in time'],
  [/^ETIMEDOUT$/, 'no connection in time', 'mayHaveSent'],
  [/^ECONNRESET$/, 'the connection was reset', 'mayHaveSent'],
  [/client error \(Connect\)|^no connection$/, 'no connection'],
  [/^EGRESS_REJECTED$/, 'the egress proxy rejected the connection (VDS_UPSTREAM_PROXY)'],
  [/^CERT_HAS_EXPIRED$/, "the server's certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "the server's certificate is not valid yet"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "the server's certificate is for another host name"],
  [
    /^UNABLE_TO_(VERIFY|GET_ISSUER)|^SELF_SIGNED_CERT|^DEPTH_ZERO/,
    "the server's certificate is not of a known authority (VDS_UPSTREAM_CA_FILE)",
  ],
  [/wrong.version.number|packet.length.too.long/i, 'the server speaks no TLS on this port', 'mayHaveSent'],
  [
    /unsupported.protocol|alert.protocol.version/i,
    'the server and the proxy have no TLS version in common (VDS_UPSTREAM_MIN_TLS)',
    'mayHaveSent',
  ],
  [/certificate.required|handshake.failure/i, certificateWanted, 'mayHaveSent'],
  // https://redis.io/docs/latest/commands/auth/
  [/^(WRONGPASS|NOAUTH) /, 'the server rejects the credentials', 'mayHaveSent'],
  [/^ERR (invalid )?DB index/, 'the server has no database of that number', 'mayHaveSent'],
  [/^(READONLY|OOM|MISCONF|NOREPLICAS) /, 'the server takes no writes', 'mayHaveSent'],
];

function problemOf(error: unknown): Problem | null {
  if (typeof error !== 'object' || error === null) return null;
  const code = 'code' in error ? String(error.code) : '';
  const message = 'message' in error ? String(error.message) : '';
  const known = problems.find(([form]) => form.test(code) || form.test(message));
  return known ?? ('cause' in error ? problemOf(error.cause) : null);
}

/** What keeps a connection from being made, in fixed words; empty when the error says nothing that is known. */
export function connectionProblem(error: unknown): string {
  return problemOf(error)?.[1] ?? '';
}

/** The same where the platform connects, and settings of the connection to the upstream have no effect. */
export function platformConnectionProblem(error: unknown): string {
  const words = connectionProblem(error).replace('VDS_UPSTREAM_CA_FILE', 'NODE_EXTRA_CA_CERTS');
  return words.replace(/ \(VDS_\w+\)$/, '');
}

/** Whether an error of `fetch` says that no connection was made, so that nothing was sent. Every unknown one does not. */
export function isConnectError(error: unknown): boolean {
  const problem = problemOf(error);
  return problem !== null && problem[2] === undefined;
}

/** Whether a problem shows before the request has been read, although the connection was made: TLS 1.3 says so late. */
export function isLateRejection(problem: string): boolean {
  return problem === certificateWanted;
}
