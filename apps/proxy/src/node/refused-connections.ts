// Connections that were closed before anything was read from them, by reason.

/**
 * Why a connection is refused: all or those of its address are too many, the system has no descriptor for it, or it does not begin with the
 * header that its address has to send.
 */
export type RefusalReason = 'too-many' | 'too-many-of-address' | 'not-accepted' | 'no-proxy-header';

const sentences: Readonly<Record<RefusalReason, string>> = {
  'too-many': 'there are as many as the process has room for',
  'too-many-of-address': 'their address has as many as VDS_MAX_CONNECTIONS_PER_ADDRESS',
  'not-accepted': 'the system could not accept them; its limit of open files may be reached',
  'no-proxy-header':
    'VDS_PROXY_PROTOCOL_FROM has their address, and they do not begin with a header of the PROXY protocol',
};

/** Shortest time between two lines about one reason, in milliseconds: one minute. */
const quietMs = 60_000;

/** Counts refused connections, and says so at most once a minute for each reason. */
export class RefusedConnections {
  readonly counts: Record<RefusalReason, number> = {
    'too-many': 0,
    'too-many-of-address': 0,
    'not-accepted': 0,
    'no-proxy-header': 0,
  };
  readonly #said = new Map<RefusalReason, { readonly atMs: number; readonly count: number }>();
  readonly #say: (line: string) => void;

  constructor(say: (line: string) => void = () => {}) {
    this.#say = say;
  }

  add(reason: RefusalReason): void {
    const count = ++this.counts[reason];
    const nowMs = performance.now();
    const said = this.#said.get(reason);
    if (said !== undefined && nowMs - said.atMs < quietMs) return;
    this.#said.set(reason, { atMs: nowMs, count });
    const more = count - (said?.count ?? 0);
    this.#say(`${more} ${more === 1 ? 'connection' : 'connections'} refused: ${sentences[reason]}`);
  }
}
