import { headerText, maxHeadBytes, readHead } from '../../request/head-rules.js';
import { pathOf } from '../../request/routes.js';
import { isOwnPath } from '../../response/pages.js';

// The request line and the header lines in one expression, which is several times faster than one each. No `#` in the target, no white
// space before a colon, no folded lines, no control characters, no bare CR or LF.
// https://www.rfc-editor.org/rfc/rfc9112#section-3 and #section-5
const shape =
  /^(GET|DELETE) (\/[\x21\x22\x24-\x7e]*) HTTP\/1\.1\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)+\r\n$/;

/** Headers that change how a request is read or responded to: Node's own server knows what to do with them. */
const risky: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'http2-settings',
  'proxy-connection',
]);

/**
 * Recognizes a request that can take the fast path: one complete head, GET or DELETE, no body, nothing that two readers could read
 * differently. It holds no rule of the contract and rejects nothing: everything else is Node's.
 *
 * @returns the request, or `null` when Node's own server must read these bytes
 */
export function recognize(bytes: Buffer) {
  if (bytes.length > maxHeadBytes || bytes.indexOf('\r\n\r\n', 0, 'latin1') !== bytes.length - 4) return null;
  const text = bytes.toString('latin1');
  const parts = shape.exec(text);
  if (parts === null) return null;
  const [, method = '', target = ''] = parts;
  if (isOwnPath(pathOf(target))) return null;

  const lines: string[] = [];
  for (let start = text.indexOf('\r\n') + 2; start < text.length - 2; ) {
    const colon = text.indexOf(':', start);
    const end = text.indexOf('\r\n', colon);
    const name = text.slice(start, colon).toLowerCase();
    const value = headerText(text, colon + 1, end);
    start = end + 2;
    if (risky.has(name) || (name === 'connection' && value.toLowerCase() !== 'keep-alive')) return null;
    lines.push(name, value);
  }
  const { headers, fault } = readHead(target, lines, true);
  return fault === null ? { method, target, headers } : null;
}
