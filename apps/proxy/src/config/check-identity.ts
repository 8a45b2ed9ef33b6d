import { type SettingName, settings } from './all-settings.js';
import { isLoopback } from './loopback.js';

type Values = ReadonlyMap<SettingName, string>;
type Say = (name: SettingName, place: string, text: string) => void;

/** Settings that only a token endpoint needs. */
const endpointOnly = settings
  .map((setting) => setting.variable)
  .filter((name) =>
    /^VDS_(?:TOKEN_URL|TOKEN_REFRESH_URL|CLIENT_ID|CLIENT_SECRET|AUTHORIZATION_CODE|REFRESH_TOKEN)$/.test(name),
  );

/** The secret that each grant needs. */
const grantSecret: Readonly<Record<string, SettingName>> = {
  'client-credentials': 'VDS_CLIENT_SECRET',
  'authorization-code': 'VDS_AUTHORIZATION_CODE',
  'refresh-token': 'VDS_REFRESH_TOKEN',
};

/**
 * Refuses an upstream identity that lacks something, would never use something, or would be unsafe.
 *
 * @param given the settings that were given at this place itself
 * @param inherited whether brands with exceptions of their own take over what is given here
 */
export function checkIdentity(values: Values, given: Values, place: string, inherited: boolean, say: Say): void {
  const identity = values.get('VDS_UPSTREAM_AUTH');
  if (identity === 'static' && !values.has('VDS_ACCESS_TOKEN'))
    say('VDS_ACCESS_TOKEN', place, 'must be set while VDS_UPSTREAM_AUTH is static');
  const useless = (name: SettingName) =>
    say(name, place, `is set, but VDS_UPSTREAM_AUTH is ${identity} and would never use it`);
  if (identity === 'token-endpoint') checkEndpoint(values, place, say);
  if (identity !== undefined && identity !== 'static' && given.has('VDS_ACCESS_TOKEN')) useless('VDS_ACCESS_TOKEN');
  if (identity !== undefined && identity !== 'token-endpoint' && !inherited)
    for (const name of endpointOnly) if (given.has(name)) useless(name);
}

function checkEndpoint(values: Values, place: string, say: Say): void {
  const grant = values.get('VDS_TOKEN_GRANT') ?? '';
  for (const name of ['VDS_TOKEN_URL', 'VDS_CLIENT_ID', grantSecret[grant]] as const)
    if (name !== undefined && !values.has(name))
      say(name, place, 'must be set while VDS_UPSTREAM_AUTH is token-endpoint, for this VDS_TOKEN_GRANT');
  for (const name of ['VDS_TOKEN_URL', 'VDS_TOKEN_REFRESH_URL'] as const) {
    const address = values.get(name);
    const url = address !== undefined && URL.canParse(address) ? new URL(address) : null;
    if (url?.protocol === 'http:' && !isLoopback(url.hostname))
      say(name, place, 'must start with https:// unless it is on this machine, or secrets would travel in the clear');
  }
  if (grant !== 'client-credentials' && values.get('VDS_STORE') === 'memory')
    say(
      'VDS_STORE',
      place,
      'must not be memory for this VDS_TOKEN_GRANT, or a rotated refresh token would be lost with the process',
    );
}
