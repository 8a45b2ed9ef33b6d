import type { ProxyConfig, UpstreamAuth } from '../config.js';
import type { Settings, SettingValues } from './read-settings.js';

function authFrom(values: SettingValues): UpstreamAuth {
  const kind = values.get('VDS_UPSTREAM_AUTH');
  if (kind === 'static') return { kind, accessToken: values.get('VDS_ACCESS_TOKEN') ?? '' };
  return kind === 'token-endpoint' ? { kind } : { kind: 'forward' };
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
    allowStopAll: values.get('VDS_ALLOW_STOP_ALL') === 'true',
    serverTiming: values.get('VDS_SERVER_TIMING') === 'true',
    maxInFlight: Number(values.get('VDS_MAX_IN_FLIGHT')),
    localHostOnly: values.get('VDS_CLIENT_AUTH') === 'none',
  };
}
