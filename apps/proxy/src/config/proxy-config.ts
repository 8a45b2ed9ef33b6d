import type { ProxyConfig, UpstreamAuth } from '../config.js';
import type { Settings, SettingValues } from './settings.js';

export function configFrom({ values, byBrand }: Settings): ProxyConfig {
  const { VDS_CORS_ORIGINS: origins, VDS_CORS_METHODS: methods } = values;
  return {
    upstreamUrl: values.VDS_UPSTREAM_URL ?? '',
    brands: values.VDS_BRANDS,
    upstreamAuth: upstreamAuthFrom(values),
    upstreamAuthByBrand: Object.fromEntries([...byBrand].map(([brand, own]) => [brand, upstreamAuthFrom(own.values)])),
    validateResponses: values.VDS_VALIDATE_RESPONSES,
    deadlineMs: values.VDS_DEADLINE_MS,
    bodyIdleMs: values.VDS_BODY_IDLE_MS,
    sendTimeoutMs: values.VDS_SEND_TIMEOUT_MS,
    totalDeadlineMs: values.VDS_TOTAL_DEADLINE_MS,
    allowStopAll: values.VDS_ALLOW_STOP_ALL,
    serverTiming: values.VDS_SERVER_TIMING,
    cors: origins === undefined ? null : { origins, methods },
    trustedHops: values.VDS_TRUSTED_HOPS,
    maxInFlight: values.VDS_MAX_IN_FLIGHT,
    maxInFlightPerClient: values.VDS_MAX_IN_FLIGHT_PER_CLIENT,
    localHostOnly: values.VDS_CLIENT_AUTH === 'none',
  };
}

function upstreamAuthFrom(values: SettingValues): UpstreamAuth {
  return { kind: values.VDS_UPSTREAM_AUTH, accessToken: values.VDS_ACCESS_TOKEN ?? '' };
}
