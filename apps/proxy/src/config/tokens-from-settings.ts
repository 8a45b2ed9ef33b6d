import { contractBrands } from '../config.js';
import type { TokenSettings } from '../upstream-token/brand-token.js';
import type { Grant } from '../upstream-token/token-endpoint.js';
import type { Settings, SettingValues } from './read-settings.js';

/** How tokens are got for each brand that gets them from a token endpoint. */
export function tokensFrom({ values, byBrand }: Settings): ReadonlyMap<string, TokenSettings> {
  const found = new Map<string, TokenSettings>();
  const { origin: upstreamOrigin } = new URL(values.get('VDS_UPSTREAM_URL') ?? '');
  for (const brand of values.get('VDS_BRANDS')?.split(',') ?? contractBrands()) {
    const own = byBrand.get(brand) ?? values;
    if (own.get('VDS_UPSTREAM_AUTH') === 'token-endpoint') found.set(brand, tokenSettings(own, upstreamOrigin));
  }
  return found;
}

function grantOf(values: SettingValues): Grant {
  const kind = values.get('VDS_TOKEN_GRANT');
  if (kind === 'authorization-code') return { kind, code: values.get('VDS_AUTHORIZATION_CODE') ?? '' };
  if (kind === 'refresh-token') return { kind, refreshToken: values.get('VDS_REFRESH_TOKEN') ?? '' };
  return { kind: 'client-credentials' };
}

/** The pairs of a `mapping` setting. */
export function mappingOf(text: string | undefined): Readonly<Record<string, string>> {
  const pairs = text === undefined ? [] : text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', field = '']) => [name, field]));
}

function tokenSettings(values: SettingValues, upstreamOrigin: string): TokenSettings {
  const url = values.get('VDS_TOKEN_URL') ?? '';
  return {
    endpoint: {
      url,
      refreshUrl: values.get('VDS_TOKEN_REFRESH_URL') ?? url,
      form: values.get('VDS_TOKEN_FORM') === 'envelope' ? 'envelope' : 'oauth',
      clientId: values.get('VDS_CLIENT_ID') ?? '',
      clientSecret: values.get('VDS_CLIENT_SECRET') ?? '',
      clientAuth: values.get('VDS_TOKEN_CLIENT_AUTH') === 'basic' ? 'basic' : 'body',
      redirectUrl: values.get('VDS_REDIRECT_URL') ?? '',
      scope: values.get('VDS_TOKEN_SCOPE') ?? '',
      requestFields: mappingOf(values.get('VDS_TOKEN_REQUEST_FIELDS')),
      responseFields: mappingOf(values.get('VDS_TOKEN_RESPONSE_FIELDS')),
      timeoutMs: Number(values.get('VDS_TOKEN_TIMEOUT_MS')),
    },
    grant: grantOf(values),
    upstreamOrigin,
    tokenSeconds: Number(values.get('VDS_TOKEN_LIFETIME_S')),
    refreshTokenDays: Number(values.get('VDS_REFRESH_TOKEN_DAYS')),
  };
}
