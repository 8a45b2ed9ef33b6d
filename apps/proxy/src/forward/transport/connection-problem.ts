const certificateWanted = 'the server wants a client certificate (VDS_UPSTREAM_CERT_FILE)';

/** What keeps a connection from being made. */
interface Problem {
  /** In fixed words. */
  readonly words: string;
  /** Whether it can only show before anything was sent; a reset or a time-out can be that of an open connection. */
  readonly beforeSending: boolean;
}

const problem = (words: string, beforeSending = true): Problem => ({ words, beforeSending });

/** By the codes of Node and Bun, and by what OpenSSL says inside an `EPROTO` and Deno in its message. */
const problems: readonly (readonly [RegExp, Problem])[] = [
  [/^ENOTFOUND$/, problem('the host name is not known')],
  [/^EAI_/, problem('the host name could not be looked up')],
  [/^(ECONNREFUSED|ConnectionRefused|FailedToOpenSocket)$/, problem('the connection was refused')],
  [/^EHOSTUNREACH$/, problem('there is no route to the host')],
  [/^ENETUNREACH$/, problem('there is no route to the network')],
  [/^UND_ERR_CONNECT_TIMEOUT$/, problem('no connection in time')],
  [/^ETIMEDOUT$/, problem('no connection in time', false)],
  [/^ECONNRESET$/, problem('the connection was reset', false)],
  [/client error \(Connect\)|^no connection$/, problem('no connection')],
  [/^EGRESS_REJECTED$/, problem('the egress proxy rejected the connection (VDS_UPSTREAM_PROXY)')],
  [/^CERT_HAS_EXPIRED$/, problem("the server's certificate has expired")],
  [/^CERT_NOT_YET_VALID$/, problem("the server's certificate is not valid yet")],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, problem("the server's certificate is for another host name")],
  [
    /^UNABLE_TO_(VERIFY|GET_ISSUER)|^SELF_SIGNED_CERT|^DEPTH_ZERO/,
    problem("the server's certificate is not of a known authority (VDS_UPSTREAM_CA_FILE)"),
  ],
  [/wrong.version.number|packet.length.too.long/i, problem('the server speaks no TLS on this port', false)],
  [
    /unsupported.protocol|alert.protocol.version/i,
    problem('the server and the proxy have no TLS version in common (VDS_UPSTREAM_MIN_TLS)', false),
  ],
  [/certificate.required|handshake.failure/i, problem(certificateWanted, false)],
  // https://redis.io/docs/latest/commands/auth/
  [/^(WRONGPASS|NOAUTH) /, problem('the server rejects the credentials', false)],
  [/^ERR (invalid )?DB index/, problem('the server has no database of that number', false)],
  [/^(READONLY|OOM|MISCONF|NOREPLICAS) /, problem('the server takes no writes', false)],
];

function problemOf(error: unknown): Problem | null {
  if (typeof error !== 'object' || error === null) return null;
  const code = 'code' in error ? String(error.code) : '';
  const message = 'message' in error ? String(error.message) : '';
  const known = problems.find(([form]) => form.test(code) || form.test(message))?.[1];
  return known ?? ('cause' in error ? problemOf(error.cause) : null);
}

/** What keeps a connection from being made, in fixed words; empty when the error says nothing that is known. */
export function connectionProblem(error: unknown): string {
  return problemOf(error)?.words ?? '';
}

/** The same where the platform connects, and settings of the connection to the upstream have no effect. */
export function platformConnectionProblem(error: unknown): string {
  const words = connectionProblem(error).replace('VDS_UPSTREAM_CA_FILE', 'NODE_EXTRA_CA_CERTS');
  return words.replace(/ \(VDS_\w+\)$/, '');
}

/** Whether an error of `fetch` says that no connection was made, so that nothing was sent. Every unknown one does not. */
export function isConnectError(error: unknown): boolean {
  return problemOf(error)?.beforeSending ?? false;
}

/** Whether a problem shows before the request has been read, although the connection was made: TLS 1.3 says so late. */
export function isLateRejection(problem: string): boolean {
  return problem === certificateWanted;
}
