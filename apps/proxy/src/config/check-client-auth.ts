import type { SettingName } from './all-settings.js';
import { isLoopback } from './loopback.js';

type Values = ReadonlyMap<SettingName, string>;
type Say = (name: SettingName, place: string, text: string) => void;

/** The settings that each way of recognising clients needs. */
const needed = {
  none: [],
  'api-key': ['VDS_KEYS_FILE'],
  jwt: ['VDS_JWKS_URL', 'VDS_JWT_ISSUER', 'VDS_JWT_AUDIENCE'],
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

/** Settings that one way alone can use. */
const usable = { ...needed, jwt: [...needed.jwt, 'VDS_JWT_OPERATIONS', 'VDS_JWT_CLAIMS'] } as const satisfies Readonly<
  Record<string, readonly SettingName[]>
>;

/** Refuses a recognition of clients that lacks something, would never use something, or would be unsafe. */
export function checkClientAuth(values: Values, byBrand: ReadonlyMap<string, Values>, say: Say): void {
  const clients = values.get('VDS_CLIENT_AUTH');
  for (const [way, names] of Object.entries(needed))
    for (const name of names)
      if (way === clients && !values.has(name)) say(name, '', `must be set while VDS_CLIENT_AUTH is ${way}`);
  for (const [way, names] of Object.entries(usable))
    for (const name of names)
      if (clients !== undefined && way !== clients && values.has(name))
        say(name, '', `is set, but VDS_CLIENT_AUTH is ${clients} and would never use it`);
  const host = values.get('VDS_HOST');
  if (host !== undefined && clients === 'none' && !isLoopback(host))
    say(
      'VDS_HOST',
      '',
      'must be a loopback address while VDS_CLIENT_AUTH is none, or everyone who reaches the port could call',
    );
  if (clients !== 'jwt') return;
  const identities = [values, ...[...byBrand.values()].map((own) => new Map([...values, ...own]))];
  if (identities.some((own) => own.get('VDS_UPSTREAM_AUTH') === 'forward'))
    say(
      'VDS_UPSTREAM_AUTH',
      '',
      'must not be forward while VDS_CLIENT_AUTH is jwt, or tokens that are meant for the proxy would go on to the service',
    );
  const address = values.get('VDS_JWKS_URL');
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === 'http:' && !isLoopback(url.hostname))
    say(
      'VDS_JWKS_URL',
      '',
      'must start with https:// unless it is on this machine, or keys could be exchanged on the way',
    );
}
