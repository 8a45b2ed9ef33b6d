import type { SettingName } from './all-settings.js';
import { isLoopback } from './loopback.js';

type Values = ReadonlyMap<SettingName, string>;
type Say = (name: SettingName, place: string, text: string) => void;

/** Refuses connections that would show tokens on the way, and halves of a client certificate. */
export function checkUpstream(values: Values, say: Say): void {
  if (values.get('VDS_ALLOW_PLAINTEXT') !== 'true') {
    const clear = 'tokens would travel in the clear. Set VDS_ALLOW_PLAINTEXT=true if nobody else is on that network';
    if (leavesInTheClear(values.get('VDS_UPSTREAM_URL'), 'http:'))
      say('VDS_UPSTREAM_URL', '', `must start with https:// unless it is on this machine, or ${clear}`);
    // With Sentinels the host is a name and no place.
    const isHere = values
      .get('VDS_REDIS_SENTINELS')
      ?.split(',')
      .every((each) => isLoopback(each.replace(/:\d+$/, '')));
    if (isHere !== true && leavesInTheClear(values.get('VDS_REDIS_URL'), 'redis:'))
      say('VDS_REDIS_URL', '', `must start with rediss:// unless it is on this machine, or ${clear}`);
  }
  const [cert, key] = [values.has('VDS_UPSTREAM_CERT_FILE'), values.has('VDS_UPSTREAM_KEY_FILE')];
  if (cert && !key) say('VDS_UPSTREAM_KEY_FILE', '', 'must be set while VDS_UPSTREAM_CERT_FILE is');
  if (key && !cert) say('VDS_UPSTREAM_CERT_FILE', '', 'must be set while VDS_UPSTREAM_KEY_FILE is');
  const egress = values.get('VDS_UPSTREAM_PROXY');
  if (egress !== undefined && !(URL.canParse(egress) && new URL(egress).protocol === 'http:'))
    say('VDS_UPSTREAM_PROXY', '', 'must be an address that starts with http://');
}

function leavesInTheClear(address: string | undefined, scheme: string): boolean {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === scheme && !isLoopback(url.hostname);
}
