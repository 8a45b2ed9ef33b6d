import type { CorsRules, ProxyConfig, UpstreamAuth } from '../config.js';
import type { Settings, SettingValues } from './read-settings.js';

function authFrom(values: SettingValues): UpstreamAuth {
  const kind = values.get('VDS_UPSTREAM_AUTH');
  if (kind === 'static') return { kind, accessToken: values.get('VDS_ACCESS_TOKEN') ?? '' };
  return kind === 'token-endpoint' ? { kind } : { kind: 'forward' };
}

function corsFrom(values: SettingValues): CorsRules | null {
  const origins = values.get('VDS_CORS_ORIGINS');
  if (origins === undefined) return null;
  const methods = values.get('VDS_CORS_METHODS')?.split(',') ?? [];
  return {
    origins: origins.split(','),
    methods: (['GET', 'DELETE'] as const).filter((each) => methods.includes(each)),
  };
}

/** The proxy's configuration from checked settings. */
export function configFrom({ values, byBrand }: Settings): ProxyConfig {
  const brands = values.get('VDS_BRANDS')?.split(',');
  const checks = values.get('VDS_VALIDATE_RESPONSES');
  return {
    upstreamUrl: values.get('VDS_UPSTREAM_URL') ?? '',
    ...(brands === undefined ? {} : { brands }),
    upstreamAuth: authFrom(values),
    upstreamAuthByBrand: Object.fromEntries([...byBrand].map(([brand, own]) => [brand, authFrom(own)])),
    validateResponses: checks === 'off' || checks === 'enforce' ? checks : 'report',
    deadlineMs: Number(values.get('VDS_DEADLINE_MS')),
    ...(values.has('VDS_BODY_IDLE_MS') ? { bodyIdleMs: Number(values.get('VDS_BODY_IDLE_MS')) } : {}),
    ...(values.has('VDS_TOTAL_DEADLINE_MS') ? { totalDeadlineMs: Number(values.get('VDS_TOTAL_DEADLINE_MS')) } : {}),
    allowStopAll: values.get('VDS_ALLOW_STOP_ALL') === 'true',
    serverTiming: values.get('VDS_SERVER_TIMING') === 'true',
    cors: corsFrom(values),
    trustedHops: Number(values.get('VDS_TRUSTED_HOPS')),
    maxInFlight: Number(values.get('VDS_MAX_IN_FLIGHT')),
    localHostOnly: values.get('VDS_CLIENT_AUTH') === 'none',
  };
}
