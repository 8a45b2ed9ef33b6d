import { createHmac } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { vinHash } from '../auth/client.js';
import type { WithdrawalListener } from '../forward/forward-plan.js';
import type { RequestRecord } from '../observability/observer.js';
import type { Warnings } from '../observability/warnings.js';
import { waitForLock } from '../store/file-lock.js';

/** One withdrawal of consent with its outcome, as it is in the file but for its VIN. */
type WithdrawalEntry = ReturnType<typeof entryOf>;

/** @param vehicle the VIN, or empty for all vehicles of the brand */
function entryOf(record: RequestRecord, brand: string, vehicle: string) {
  const { client, address, status, code, attempts, requestId, upstreamRequestId } = record;
  const time = new Date().toISOString();
  // Whether the upstream can have received the request: not without a connection.
  const sent = attempts > 0 && code !== 'upstream-unreachable';
  return { time, client, address, brand, vehicle, status, code, sent, requestId, upstreamRequestId };
}

/** Where the next line is attached: the number of the last one, and its hash. */
export interface ChainLink {
  readonly number: number;
  readonly hash: string;
}

export const chainStart: ChainLink = { number: 0, hash: '0'.repeat(64) };

const lineForm = /^(\{"number":(\d{1,15}),"previous":"([0-9a-f]{64})",.*),"hash":"([0-9a-f]{64})"\}$/;
const lineBegin = ({ number, hash }: ChainLink) => `{"number":${number + 1},"previous":"${hash}",`;
/** More than a line, and the zeros that a file system can leave after it. */
const endBytes = 16_384;
/** Entries that wait to be written; with more, the disk is not keeping up and the rest is lost. */
const maxWaiting = 10_000;
const lockMs = 10_000;
const giveUpMs = 15_000;

/**
 * The audit log of withdrawals, whatever the log level: a file to which one line is appended for each, on the disk before the next is
 * taken. Each line carries a keyed hash of itself and of the line before it, so that nobody without the key can change, insert or
 * remove one unseen. Several processes can write to one file. While entries cannot be written, a warning says so and withdrawals
 * continue, because an owner's will does not wait for a disk.
 */
export class AuditLog {
  readonly #path: string;
  readonly #key: string;
  readonly #warnings: Warnings;
  #waiting: WithdrawalEntry[] = [];
  #writing: Promise<void> | null = null;

  /** @param key secret of the hashes of VINs and lines */
  constructor(path: string, key: string, warnings: Warnings) {
    this.#path = path;
    this.#key = key;
    this.#warnings = warnings;
  }

  /** Takes a withdrawal; it is written as soon as those before it are. */
  readonly onWithdrawal: WithdrawalListener = (record, brand, vehicle) => {
    if (this.#waiting.length >= maxWaiting) this.#lost();
    else this.#waiting.push(entryOf(record, brand, vehicle));
    this.#writing ??= this.#writeAll();
  };

  /** Resolves when all that was taken is written or lost. */
  async close(): Promise<void> {
    await this.#writing;
  }

  #lost(): void {
    this.#warnings.raise('audit-log', 'VDS_AUDIT_FILE: entries cannot be written and are lost; withdrawals continue');
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const entries = this.#waiting;
        this.#waiting = [];
        await this.#append(entries).then(
          () => this.#warnings.clear('audit-log'),
          () => this.#lost(),
        );
      }
    } finally {
      this.#writing = null;
    }
  }

  async #append(entries: readonly WithdrawalEntry[]): Promise<void> {
    const unlock = await waitForLock(`${this.#path}.lock`, lockMs, giveUpMs);
    try {
      const file = await open(this.#path, 'a+', 0o600);
      await this.#appendTo(file, entries).finally(() => file.close());
    } finally {
      await unlock();
    }
  }

  async #appendTo(file: FileHandle, entries: readonly WithdrawalEntry[]): Promise<void> {
    const hashVin = vinHash(this.#key);
    const { size } = await file.stat();
    const end = await endOf(file, size);
    if (end.bytes < size) {
      this.#warnings.raise('audit-log', 'VDS_AUDIT_FILE: what a crash has left of a line is removed');
      await file.truncate(end.bytes);
    }
    let { link } = end;
    let text = end.between;
    for (const entry of entries) {
      const vehicle = entry.vehicle === '' ? null : await hashVin(entry.vehicle);
      const number = link.number + 1;
      const body = JSON.stringify({ number, previous: link.hash, ...entry, vehicle }).slice(0, -1);
      link = { number, hash: hashOf(this.#key, body) };
      text += `${body},"hash":"${link.hash}"}\n`;
    }
    try {
      await file.writeFile(text);
      await file.sync();
    } catch (error) {
      // A part of a line would keep all further ones out.
      await file.truncate(end.bytes);
      throw error;
    }
  }
}

/**
 * Where a file ends: the link of its last whole line, its bytes up to there, and what is missing between it and the next line. A crash
 * of the proxy or the machine can leave a part of a line, or zeros, after it.
 * @throws {Error} when it ends with anything else
 */
async function endOf(file: FileHandle, size: number) {
  const length = Math.min(size, endBytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  // Of which every character is one byte.
  const text = buffer.toString('latin1').replace(/\0+$/, '');
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  const isWhole = lineForm.test(rest);
  const last = isWhole ? rest : lines.at(-1);
  const [, , number = '', , hash = ''] = lineForm.exec(last ?? '') ?? [];
  const link = last === undefined && length === size ? chainStart : { number: Number(number), hash };
  const begin = lineBegin(link);
  const isCut = rest.startsWith(begin) || begin.startsWith(rest);
  if (link.hash === '' || !(isWhole || isCut)) throw new Error('the audit log does not end with a line of its own');
  const bytes = size - length + text.length - (isWhole ? 0 : rest.length);
  return { link, bytes, between: isWhole ? '\n' : '' };
}

/** Opens an audit log for appending, and closes it. @throws {Error} when that cannot be done; the text names the setting */
export async function checkAuditFile(path: string): Promise<void> {
  try {
    await (await open(path, 'a+', 0o600)).close();
  } catch {
    throw new Error(
      'VDS_AUDIT_FILE: the file cannot be opened for writing; its directory must exist, and the proxy must own it',
    );
  }
}

/** The link of a line that rightly follows another, or what is wrong with it. @param key that of the log */
export function checkLine(line: string, link: ChainLink, key: string): ChainLink | string {
  const [, body = '', number, previous, stated = ''] = lineForm.exec(line) ?? [];
  if (stated === '') return 'is not an entry';
  if (hashOf(key, body) !== stated) return 'was changed, or was written with another key';
  if (Number(number) !== link.number + 1 || previous !== link.hash) return 'does not follow the line before it';
  return { number: Number(number), hash: stated };
}

function hashOf(key: string, body: string): string {
  return createHmac('sha256', key).update(body).digest('hex');
}
