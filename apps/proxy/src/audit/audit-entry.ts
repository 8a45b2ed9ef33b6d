import type { FileHandle } from 'node:fs/promises';

/** One withdrawal of consent, as it was asked for and as it ended. */
export interface WithdrawalEntry {
  /** ISO 8601 UTC. */
  readonly time: string;
  /** Identifier of the client; empty when clients are not authenticated. */
  readonly client: string;
  /** Address of the client; empty when it is not known. */
  readonly address: string;
  readonly brand: string;
  /** Keyed hash of the VIN; `null` for all vehicles of the brand. */
  readonly vehicle: string | null;
  /** Status that the client got; 0 when it left before. */
  readonly status: number;
  /** Error code, or empty when sharing was stopped. */
  readonly code: string;
  /** Whether the upstream received the request, as far as the proxy knows. */
  readonly sent: boolean;
  readonly requestId: string;
  /** The upstream's identifier of its response; empty when it gave none. */
  readonly upstreamRequestId: string;
}

/** Where the next line is attached: the number of the last one, and its hash. */
export interface ChainLink {
  readonly number: number;
  readonly hash: string;
}

/** Before the first line. */
export const chainStart: ChainLink = { number: 0, hash: '0'.repeat(64) };

const lineForm = /^(\{"number":(\d{1,15}),"previous":"([0-9a-f]{64})",.*),"hash":"([0-9a-f]{64})"\}$/;
const maxLineBytes = 4096;

/** Prints an entry as the line that follows a link. @param hash hashes the line without its hash */
export function printEntry(
  entry: WithdrawalEntry,
  link: ChainLink,
  hash: (body: string) => string,
): { readonly line: string; readonly next: ChainLink } {
  const number = link.number + 1;
  const body = JSON.stringify({ number, previous: link.hash, ...entry }).slice(0, -1);
  const next = { number, hash: hash(body) };
  return { line: `${body},"hash":"${next.hash}"}\n`, next };
}

/** The link that ends a file. @throws {Error} when its last line is not whole */
export async function lastLink(file: FileHandle, size: number): Promise<ChainLink> {
  const length = Math.min(size, maxLineBytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  const text = buffer.toString();
  const [, , number = '', , hash = ''] = lineForm.exec(text.trimEnd().split('\n').at(-1) ?? '') ?? [];
  if (!text.endsWith('\n') || hash === '') throw new Error('the audit log does not end with a whole line');
  return { number: Number(number), hash };
}

/** The link of a line that rightly follows another, or what is wrong with it. */
export function checkLine(line: string, link: ChainLink, hash: (body: string) => string): ChainLink | string {
  const [, body = '', number, previous, stated = ''] = lineForm.exec(line) ?? [];
  if (stated === '') return 'is not an entry';
  if (hash(body) !== stated) return 'was changed, or was written with another key';
  if (Number(number) !== link.number + 1 || previous !== link.hash) return 'does not follow the line before it';
  return { number: Number(number), hash: stated };
}
