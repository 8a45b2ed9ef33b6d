import getPort from 'get-port';
/** One proxy that a runtime serves. */
export interface ServedProxy {
  readonly port: number;
  readonly config: {
    readonly upstreamUrl: string;
    readonly upstreamAuth: { readonly kind: 'forward' } | { readonly kind: 'static'; readonly accessToken: string };
    readonly allowStopAll: boolean;
    readonly validateResponses: 'off';
    readonly deadlineMs?: number;
    readonly totalDeadlineMs?: number | null;
  };
}

/** A proxy on a free port; with a token it authenticates with that upstream. */
export async function servedOn(
  upstreamUrl: string,
  more: Partial<ServedProxy['config']> = {},
  accessToken?: string,
): Promise<ServedProxy> {
  const upstreamAuth =
    accessToken === undefined ? { kind: 'forward' as const } : { kind: 'static' as const, accessToken };
  const usual = { allowStopAll: false, validateResponses: 'off' } as const;
  return { port: await getPort(), config: { upstreamUrl, upstreamAuth, ...usual, ...more } };
}
