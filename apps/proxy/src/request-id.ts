const clean = /^[0-9A-Za-z][0-9A-Za-z_-]{7,63}$/;
// A part of 17 letters or digits may be a VIN; such an identifier would carry it into logs and to the service.
const vinShaped = /(?:^|[_-])[0-9A-Za-z]{17}(?:$|[_-])/;

let prefix = '';
let counter = 0;

/** An identifier that no other request of this process has, in the form of a UUID. */
export function newRequestId(): string {
  // Made at the first request, because edge runtimes give no randomness while a module loads.
  if (prefix === '') prefix = crypto.randomUUID().slice(0, 24);
  counter = (counter + 1) % 0x1000000000000;
  return prefix + counter.toString(16).padStart(12, '0');
}

/**
 * The identifier of a request: the caller's own `X-Request-Id` when it is 8 to 64 letters, digits, hyphens or
 * underscores and holds nothing of the shape of a VIN, otherwise a new one.
 */
export function requestIdFor(sent: string | undefined): string {
  return sent !== undefined && clean.test(sent) && !vinShaped.test(sent) ? sent : newRequestId();
}
