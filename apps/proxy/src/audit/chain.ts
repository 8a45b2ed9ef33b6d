import { createHmac } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { waitForLock } from '../store/file-lock.js';

// The file of the audit log: a line for each entry, on the disk before the next is taken. Each line carries a keyed hash of itself and
// of the line before it, so that nobody without the key can change, insert or remove one unseen. Several processes can write to one file.

/** Where the next line is attached: the number of the last one, and its hash. */
export interface ChainLink {
  readonly number: number;
  readonly hash: string;
}

/** Opens a file as `open` of `node:fs/promises` does. */
export type OpenFile = typeof open;

export const chainStart: ChainLink = { number: 0, hash: '0'.repeat(64) };

const lineForm = /^(\{"number":(\d{1,15}),"previous":"([0-9a-f]{64})",.*),"hash":"([0-9a-f]{64})"\}$/s;
const lineBegin = ({ number, hash }: ChainLink) => `{"number":${number + 1},"previous":"${hash}",`;
/** Bytes of a line at most, as far as writers can choose. */
export const maxLineBytes = 16_384;
/** More than a line, and the zeros that a file system can leave after it. */
const endBytes = 4 * maxLineBytes;
const lockMs = 10_000;
const giveUpMs = 15_000;

/** Takes a step with the file that no other process takes meanwhile. */
export async function withChainLock<T>(path: string, step: () => Promise<T>): Promise<T> {
  const unlock = await waitForLock(`${path}.lock`, lockMs, giveUpMs);
  try {
    return await step();
  } finally {
    await unlock();
  }
}

/**
 * Appends entries; the chain lock must be held. After a failure none of them is in the file.
 *
 * @returns whether a part of a line, which a crash has left, was removed before
 */
export async function appendToChain(
  path: string,
  key: string,
  entries: readonly object[],
  openFile: OpenFile = open,
): Promise<boolean> {
  const file = await openFile(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const end = await endOf(file, size);
    if (end.bytes < size) {
      assertSize(await file.stat(), size);
      await file.truncate(end.bytes);
    }
    await append(file, end.bytes, end.between + linesAfter(end.link, entries, key));
    return end.bytes < size;
  } finally {
    await file.close();
  }
}

/** The lines of entries behind a link. */
export function linesAfter(start: ChainLink, entries: readonly object[], key: string): string {
  let last = start;
  let text = '';
  for (const entry of entries) {
    const number = last.number + 1;
    const body = JSON.stringify({ number, previous: last.hash, ...entry }).slice(0, -1);
    last = { number, hash: hashOf(key, body) };
    text += `${body},"hash":"${last.hash}"}\n`;
  }
  return text;
}

/**
 * Writes a text at the end of a file, and to the disk. After a failure nothing of it is in the file.
 *
 * @param atBytes size of the file for which the text was made
 */
export async function append(file: FileHandle, atBytes: number, text: string): Promise<void> {
  assertSize(await file.stat(), atBytes);
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    // A part of a line would keep all further ones out. What another process has written, when this one took too long, stays.
    if (await endsWithPart(file, atBytes, text)) await file.truncate(atBytes);
    throw error;
  }
}

/**
 * What is true right before a change: a process that has stalled may have lost its lock, and what it has read of the file may be old.
 *
 * @throws {Error} when another process has written to the file
 */
export function assertSize({ size }: { readonly size: number }, bytes: number): void {
  if (size !== bytes) throw new Error('another process has written to the audit log meanwhile');
}

/** Whether all that a file has from a byte on is the beginning of a text. */
async function endsWithPart(file: FileHandle, fromBytes: number, text: string): Promise<boolean> {
  const whole = Buffer.from(text);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(whole.length + 1), 0, whole.length + 1, fromBytes);
  return bytesRead <= whole.length && whole.subarray(0, bytesRead).equals(buffer.subarray(0, bytesRead));
}

/**
 * Where a file ends: the link of its last whole line, its bytes up to there, and what is missing between it and the next line. A crash
 * of the proxy or the machine can leave a part of a line, or zeros, after it.
 *
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

/** The link of the last whole line of a file. @throws {Error} when it cannot be read, or is no audit log */
export async function headOf(path: string): Promise<ChainLink> {
  const file = await open(path, 'r');
  try {
    return (await endOf(file, (await file.stat()).size)).link;
  } finally {
    await file.close();
  }
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

/**
 * The link of a line that rightly follows another, or what is wrong with it.
 *
 * @param line every character is one byte (`latin1`), so that no change of a byte can hide behind a decoder
 * @param keys those of the log, oldest first; without any, only the order of the lines is checked
 * @param fromKey the first of the keys with which the line can have been written: an earlier key is over once a later one was used
 * @returns also which of the keys the line was written with
 */
export function checkLine(
  line: string,
  link: ChainLink,
  keys: readonly string[],
  fromKey = 0,
): (ChainLink & { readonly key: number }) | string {
  const [, body = '', number, previous, stated = ''] = lineForm.exec(line) ?? [];
  if (stated === '') return 'is not an entry';
  const bytes = Buffer.from(body, 'latin1');
  const key = keys.findIndex((each, index) => index >= fromKey && hashOf(each, bytes) === stated);
  if (key === -1 && keys.length > 0) return 'was changed, or was written with another key';
  if (Number(number) !== link.number + 1 || previous !== link.hash) return 'does not follow the line before it';
  return { number: Number(number), hash: stated, key: Math.max(0, key) };
}

/** The keyed hash of a text: nobody without the key can make it. */
export function hashOf(key: string, body: string | Buffer): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

/** The link that a line says to follow. */
export function linkBefore(line: string): ChainLink | null {
  const [, , number, hash] = lineForm.exec(line) ?? [];
  return number === undefined || hash === undefined ? null : { number: Number(number) - 1, hash };
}
