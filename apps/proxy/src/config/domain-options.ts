// What the settings say, in the words of the folders that need it. Only here do names of the environment become options.
import type { JwtOptions } from '../auth/jwt-options.js';
import { contractBrands } from '../contract.js';
import type { EventsOptions } from '../events/open-events.js';
import type { LimitRates } from '../limits/rate-limits.js';
import type { ReceiptsOptions } from '../receipts/fence-receipts.js';
import type { RedisAddress } from '../store/open-redis.js';
import type { TokenOptions } from '../upstream-token/token-options.js';
import type { Settings, SettingValues } from './settings.js';

export function jwtOptionsFrom(values: SettingValues): JwtOptions {
  return {
    keySetUrl: values.VDS_JWKS_URL ?? '',
    issuer: values.VDS_JWT_ISSUER ?? '',
    audience: values.VDS_JWT_AUDIENCE ?? '',
    algorithms: values.VDS_JWT_ALGORITHMS,
    toleranceSeconds: values.VDS_JWT_TOLERANCE_S,
    claims: values.VDS_JWT_CLAIMS,
    operations: values.VDS_JWT_OPERATIONS,
    maxWaiting: Math.max(1, Math.floor(values.VDS_MAX_IN_FLIGHT / 2)),
  };
}

export function limitRatesFrom(values: SettingValues): LimitRates {
  return {
    perClient: values.VDS_LIMIT_PER_CLIENT,
    perVehicle: values.VDS_LIMIT_PER_VEHICLE,
    unauthenticated: values.VDS_LIMIT_UNAUTHENTICATED,
  };
}

/** How the tokens of each brand are requested that gets its tokens from a token endpoint. */
export function tokensFrom({ values, byBrand }: Settings): ReadonlyMap<string, TokenOptions> {
  const brands = (values.VDS_BRANDS ?? contractBrands()).map(
    (brand) => [brand, byBrand.get(brand)?.values ?? values] as const,
  );
  const own = brands.filter(([, each]) => each.VDS_UPSTREAM_AUTH === 'token-endpoint');
  return new Map(own.map(([brand, each]) => [brand, tokenOptionsFrom(each)]));
}

function tokenOptionsFrom(values: SettingValues): TokenOptions {
  return {
    url: values.VDS_TOKEN_URL ?? '',
    refreshUrl: values.VDS_TOKEN_REFRESH_URL,
    upstreamOrigin: new URL(values.VDS_UPSTREAM_URL ?? '').origin,
    grant: values.VDS_TOKEN_GRANT,
    form: values.VDS_TOKEN_FORM,
    clientId: values.VDS_CLIENT_ID ?? '',
    clientSecret: values.VDS_CLIENT_SECRET,
    clientAuth: values.VDS_TOKEN_CLIENT_AUTH,
    authorizationCode: values.VDS_AUTHORIZATION_CODE,
    refreshToken: values.VDS_REFRESH_TOKEN,
    redirectUrl: values.VDS_REDIRECT_URL,
    scope: values.VDS_TOKEN_SCOPE,
    requestFields: values.VDS_TOKEN_REQUEST_FIELDS,
    responseFields: values.VDS_TOKEN_RESPONSE_FIELDS,
    lifetimeSeconds: values.VDS_TOKEN_LIFETIME_S,
    refreshLifetimeDays: values.VDS_REFRESH_TOKEN_DAYS,
    timeoutMs: values.VDS_TOKEN_TIMEOUT_MS,
  };
}

export function redisFrom(values: SettingValues): RedisAddress {
  return {
    url: values.VDS_REDIS_URL ?? '',
    isCluster: values.VDS_REDIS_CLUSTER,
    sentinels: values.VDS_REDIS_SENTINELS,
  };
}

/** Who is told of the end of a consent; `null` when the settings name no receiver. */
export function eventsFrom(values: SettingValues): EventsOptions | null {
  const { VDS_EVENTS_URL: urls, VDS_EVENTS_SECRET: secret = '', VDS_VIN_HASH_KEY: hashKey = '' } = values;
  const redis = { ...redisFrom(values), prefix: values.VDS_REDIS_PREFIX };
  return urls === undefined ? null : { urls, secret, hashKey, folder: values.VDS_EVENTS_DIR, redis };
}

/** Where receipts of withdrawals are issued; `null` when the settings ask for none. */
export function receiptsFrom(values: SettingValues): ReceiptsOptions | null {
  const { VDS_RECEIPTS_DIR: folder, VDS_RECEIPTS_KEY_FILE: keyFile = '', VDS_VIN_HASH_KEY: hashKey = '' } = values;
  return folder === undefined ? null : { folder, keyFile, hashKey };
}

/** What hides VINs in a store; `undefined` without one that replicas have in common. */
export function fenceSecretFrom({
  VDS_VIN_HASH_KEY: hashKey,
  VDS_STORE_KEY: storeKey,
}: Partial<Pick<SettingValues, 'VDS_VIN_HASH_KEY' | 'VDS_STORE_KEY'>>): string | undefined {
  return hashKey ?? storeKey;
}

/** The secret of the hashes of VINs. */
export function vinHashKeyFrom(values: SettingValues): string | undefined {
  return values.VDS_VIN_HASH_KEY;
}

/** Whether clients can have rates: one for all, or one of their own. */
export function countsFrom(values: SettingValues): boolean {
  const { perClient, perVehicle } = limitRatesFrom(values);
  return perClient !== undefined || perVehicle !== undefined || values.VDS_CLIENT_AUTH !== 'none';
}
