// Kinds of values that only this program has.
import { kind, texts, urlOf } from '#kit/settings/kinds.js';
import { rateText } from '../rate.js';

export const rate = kind(rateText, 'calls/seconds, such as `600/60s`');

/** One address, or a network with the number of bits that its addresses share, but not all addresses. */
function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([0-9A-Fa-f:.]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  // As in the URL: four numbers, and not what else a URL takes for them.
  const isV4 = urlOf(`http://${address}/`)?.hostname === address && /^\d+(?:\.\d+){3}$/.test(address);
  const isV6 = address.includes(':') && urlOf(`http://[${address}]/`) !== null;
  return (isV4 || isV6) && Number(prefix ?? 1) <= (isV4 ? 32 : 128);
}

/** Addresses and networks. */
export const networks = texts(
  isNetwork,
  'must be addresses or networks such as 10.0.0.0/8 or fd00::/8, separated by commas',
);
