/** Whether an address can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether a `Host` names this machine. Only a browser on a foreign page sends another name, and a browser always sends one. */
export function namesThisMachine(host: string | undefined): boolean {
  return host === undefined || isLoopback(host.replace(/:\d+$/, '').toLowerCase());
}

/** Header in which proxies in front say whom they got a request from. */
export const forwardedForHeader = 'x-forwarded-for';

// Four numbers, or hexadecimal groups with colons; the log takes no other text.
const addressForm = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f:]{2,39}(?:\.\d{1,3}){0,3})$/;
// https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2
const mapped = /^::ffff:/i;

/**
 * The address of a client, or empty when it is not known.
 *
 * @param peer address of the other end of the connection
 * @param forwardedFor `X-Forwarded-For` as sent: every proxy has added at the end whom it got the request from
 * @param trustedHops number of own proxies in front; what stands further left anybody could have written
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trustedHops: number): string {
  const address = trustedHops === 0 ? peer : (forwardedFor?.split(',').at(-trustedHops)?.trim() ?? '');
  if (addressForm.test(address)) return address.replace(mapped, '');
  const plain = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return addressForm.test(plain) ? plain.replace(mapped, '') : '';
}

/** What one client has to itself, as a key: an IPv4 address, or the first 64 bits of an IPv6 address in its shortest form. */
export function networkOf(address: string): string {
  const [left = '', right = ''] = address.split('::');
  const zeros = 8 - left.split(':').length - right.split(':').length;
  return `${left}${':0'.repeat(Math.max(0, zeros))}:${right}`.split(':').slice(0, 4).join(':');
}
