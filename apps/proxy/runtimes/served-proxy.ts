/** One proxy that a runtime serves for the scenarios. */
export interface ServedProxy {
  readonly port: number;
  readonly identity: 'forward' | 'static';
  readonly config: {
    readonly upstreamUrl: string;
    readonly upstreamAuth: { readonly kind: 'forward' } | { readonly kind: 'static'; readonly accessToken: string };
    readonly allowStopAll: boolean;
    readonly validateResponses: 'off';
    readonly deadlineMs?: number;
    readonly totalDeadlineMs?: number | null;
  };
}

/** The same as settings of the program and of the Worker. */
export function settingsOf({ port, config }: ServedProxy): Record<string, string> {
  const token = config.upstreamAuth.kind === 'static' ? { VDS_ACCESS_TOKEN: config.upstreamAuth.accessToken } : {};
  return {
    VDS_HOST: '127.0.0.1',
    VDS_PORT: String(port),
    VDS_UPSTREAM_URL: config.upstreamUrl,
    VDS_UPSTREAM_AUTH: config.upstreamAuth.kind,
    VDS_ALLOW_STOP_ALL: String(config.allowStopAll),
    VDS_VALIDATE_RESPONSES: config.validateResponses,
    VDS_LOG_LEVEL: 'silent',
    ...token,
  };
}
