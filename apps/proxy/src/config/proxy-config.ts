import type { JwtRules } from '../auth/jwt.js';
import { contractBrands, type ProxyConfig, type UpstreamAuth } from '../config.js';
import type { TokenSettings } from '../upstream-token/brand-token.js';
import type { Settings, SettingValues } from './settings.js';

/** The proxy's configuration from checked settings. */
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
    totalDeadlineMs: values.VDS_TOTAL_DEADLINE_MS,
    allowStopAll: values.VDS_ALLOW_STOP_ALL,
    serverTiming: values.VDS_SERVER_TIMING,
    cors: origins === undefined ? null : { origins, methods },
    trustedHops: values.VDS_TRUSTED_HOPS,
    maxInFlight: values.VDS_MAX_IN_FLIGHT,
    localHostOnly: values.VDS_CLIENT_AUTH === 'none',
  };
}

function upstreamAuthFrom({
  VDS_UPSTREAM_AUTH: kind,
  VDS_ACCESS_TOKEN: accessToken = '',
}: SettingValues): UpstreamAuth {
  return { kind, accessToken };
}

/** The rules for signed tokens of clients. */
export function jwtRules(values: SettingValues): JwtRules {
  return {
    jwksUrl: values.VDS_JWKS_URL ?? '',
    issuer: values.VDS_JWT_ISSUER ?? '',
    audience: values.VDS_JWT_AUDIENCE ?? '',
    algorithms: values.VDS_JWT_ALGORITHMS,
    toleranceSeconds: values.VDS_JWT_TOLERANCE_S,
    claims: values.VDS_JWT_CLAIMS ?? {},
    operations: values.VDS_JWT_OPERATIONS === undefined ? null : new Set(values.VDS_JWT_OPERATIONS),
  };
}

/** How tokens are got for each brand that gets them from a token endpoint. */
export function tokensFrom({ values, byBrand }: Settings): ReadonlyMap<string, TokenSettings> {
  const upstreamOrigin = new URL(values.VDS_UPSTREAM_URL ?? '').origin;
  const brands = (values.VDS_BRANDS ?? contractBrands()).map(
    (brand) => [brand, byBrand.get(brand)?.values ?? values] as const,
  );
  const fetched = brands.filter(([, own]) => own.VDS_UPSTREAM_AUTH === 'token-endpoint');
  return new Map(fetched.map(([brand, own]) => [brand, tokenSettings(own, upstreamOrigin)]));
}

function tokenSettings(values: SettingValues, upstreamOrigin: string): TokenSettings {
  const { VDS_TOKEN_URL: url = '', VDS_TOKEN_GRANT: kind } = values;
  const { VDS_AUTHORIZATION_CODE: code = '', VDS_REFRESH_TOKEN: refreshToken = '' } = values;
  return {
    endpoint: {
      url,
      refreshUrl: values.VDS_TOKEN_REFRESH_URL ?? url,
      form: values.VDS_TOKEN_FORM,
      clientId: values.VDS_CLIENT_ID ?? '',
      clientSecret: values.VDS_CLIENT_SECRET ?? '',
      clientAuth: values.VDS_TOKEN_CLIENT_AUTH,
      redirectUrl: values.VDS_REDIRECT_URL ?? '',
      scope: values.VDS_TOKEN_SCOPE ?? '',
      requestFields: values.VDS_TOKEN_REQUEST_FIELDS ?? {},
      responseFields: values.VDS_TOKEN_RESPONSE_FIELDS ?? {},
      timeoutMs: values.VDS_TOKEN_TIMEOUT_MS,
    },
    grant: { kind, code, refreshToken },
    upstreamOrigin,
    tokenSeconds: values.VDS_TOKEN_LIFETIME_S,
    refreshTokenDays: values.VDS_REFRESH_TOKEN_DAYS,
  };
}
