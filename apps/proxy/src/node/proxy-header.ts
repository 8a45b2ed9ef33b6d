// The header of the PROXY protocol, in which a load balancer that passes bytes says whom it has a connection from.
// https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt, sections 2.1 and 2.2
import { isIP, SocketAddress } from 'node:net';

/** What stands at the start of a connection. */
export interface ProxyHeader {
  /** Address of the client; `null` when the balancer speaks for itself, as in its probes, or does not know it. */
  readonly address: string | null;
  /** Where the client's own bytes begin. */
  readonly length: number;
}

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const textStart = Buffer.from('PROXY ', 'latin1');
/** Longest header in text, by the protocol. */
const maxTextBytes = 107;
/** Longest binary header that is taken, its extensions included; nginx has the same bound. */
const maxBinaryBytes = 4096;

const textForm = /^PROXY (?:UNKNOWN(?: .*)?|TCP([46]) (\S+) (\S+) (\d{1,5}) (\d{1,5}))\r\n$/;

/** Addresses of a binary header by family and protocol: how many bytes each of the two has. */
const addressBytes: ReadonlyMap<number, number> = new Map([
  [0x11, 4],
  [0x21, 16],
]);
/** Those that name no address of a client: unspecified, and a socket of a file system. */
const withoutAddress: ReadonlySet<number> = new Set([0x00, 0x31]);

/** Reads the header at the start of a connection; `incomplete` when more bytes are needed, `malformed` when none can follow. */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'malformed' {
  if (startsAs(bytes, signature)) return bytes.length < 16 ? 'incomplete' : readBinary(bytes);
  if (startsAs(bytes, textStart)) return readText(bytes);
  return 'malformed';
}

/** Whether bytes begin with others, as far as they go. */
function startsAs(bytes: Buffer, start: Buffer): boolean {
  const common = Math.min(bytes.length, start.length);
  return bytes.subarray(0, common).equals(start.subarray(0, common));
}

function readText(bytes: Buffer): ProxyHeader | 'incomplete' | 'malformed' {
  const lineEnd = bytes.subarray(0, maxTextBytes).indexOf('\r\n', 0, 'latin1');
  if (lineEnd === -1) return bytes.length < maxTextBytes ? 'incomplete' : 'malformed';
  const length = lineEnd + 2;
  const parts = textForm.exec(bytes.toString('latin1', 0, length));
  if (parts === null) return 'malformed';
  const [, family, source = '', destination = '', ...ports] = parts;
  if (family === undefined) return { address: null, length };
  const fits = [source, destination].every((each) => isIP(each) === Number(family));
  if (!fits || ports.some((port) => Number(port) > 65_535)) return 'malformed';
  return { address: shortest(source), length };
}

function readBinary(bytes: Buffer): ProxyHeader | 'incomplete' | 'malformed' {
  const [command = 0, kind = 0] = bytes.subarray(12);
  const length = 16 + bytes.readUInt16BE(14);
  if ((command !== 0x20 && command !== 0x21) || length > maxBinaryBytes) return 'malformed';
  const size = addressBytes.get(kind);
  // A balancer's own connections have no client, whatever else the header says.
  const isOwn = command === 0x20 || withoutAddress.has(kind);
  if (!isOwn && (size === undefined || length < 16 + 2 * size + 4)) return 'malformed';
  if (bytes.length < length) return 'incomplete';
  if (isOwn || size === undefined) return { address: null, length };
  const address = bytes.subarray(16, 16 + size);
  if (size === 4) return { address: address.join('.'), length };
  const groups = Array.from({ length: 8 }, (_, index) => address.readUInt16BE(2 * index).toString(16));
  return { address: shortest(groups.join(':')), length };
}

/** An address in the form that the log and the limits have for it. */
function shortest(address: string): string {
  return isIP(address) === 6 ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}
