// Reads the files of an audit log and checks them on the way, byte by byte.
import { createHash, type Hash, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ChainLink, chainStart, checkLine, linkBefore } from './chain.js';
import { closingIn, segmentsOf } from './segments.js';

/** What lines are checked with. */
export interface ChainKeys {
  /** Keys of the log, oldest first. Without any, order and signatures alone are checked. */
  readonly keys: readonly string[];
  /** Keys of signatures by their identifiers; `null` when signatures are not checked. */
  readonly publicKeys: ReadonlyMap<string, KeyObject> | null;
}

/** What was read of a log. */
export interface CheckedChain {
  /** What the oldest file continues. */
  readonly begin: ChainLink;
  readonly end: ChainLink;
  /** Files that were put aside, and of these, whose signature was checked. */
  readonly closed: number;
  readonly signed: number;
}

/**
 * Reads all files of a log, or one that was put aside.
 *
 * @param onLine receives each line that is good
 * @throws {Error} at the first line, or file, that is not; the text names both
 */
export async function readChain(
  path: string,
  { keys, publicKeys }: ChainKeys,
  onLine: (line: string) => void,
): Promise<CheckedChain> {
  const files = await segmentsOf(path);
  // A log without a file is an error, as it is for whoever opens it.
  if (files.length === 0) await stat(path);
  let begin: ChainLink | null = null;
  let link: ChainLink = chainStart;
  let key = 0;
  let closed = 0;
  let signed = 0;
  for (const file of files) {
    const fail: (text: string) => never = (text) => {
      throw new Error(files.length === 1 ? text : `${basename(file)}: ${text}`);
    };
    let number = 0;
    const bytes = createHash('sha256');
    let closing: ReturnType<typeof closingIn> = null;
    for await (const { line, isWhole } of linesOf(file)) {
      number++;
      if (begin === null) {
        begin = linkBefore(line) ?? chainStart;
        link = begin;
      }
      const checked = checkLine(line, link, keys, key);
      if (typeof checked === 'string') return fail(`line ${number} ${checked}`);
      if (!isWhole) fail(`line ${number} has no end`);
      ({ key } = checked);
      link = checked;
      closing = closingIn(line);
      if (closing !== null && closing.sha256 !== digestOf(bytes))
        fail(`line ${number} closes a file with other bytes before it`);
      bytes.update(line, 'latin1').update('\n');
      onLine(line);
    }
    if (file === path && files.length > 1 && number === 0) fail('has no entry');
    // One that was put aside is checked alone when it is named.
    const isAside = file !== path || closing !== null;
    if (!isAside) continue;
    if (file !== path && !file.endsWith(`.${link.number}`)) fail('does not end with the entry that its name says');
    closed++;
    if (publicKeys === null) continue;
    const signer = closing === null ? undefined : publicKeys.get(closing.signer);
    if (closing === null || closing.signer === '') fail('has no signature');
    else if (signer === undefined) fail('was signed with a key that is not among those of --public-key');
    else if (!closing.isSignedBy(signer)) fail('has a wrong signature');
    signed++;
  }
  return { begin: begin ?? chainStart, end: { number: link.number, hash: link.hash }, closed, signed };
}

const digestOf = (hash: Hash) => hash.copy().digest('hex');

/** The lines of a file, each character a byte. Only a line feed ends a line. */
async function* linesOf(file: string): AsyncGenerator<{ readonly line: string; readonly isWhole: boolean }> {
  let rest = '';
  for await (const piece of createReadStream(file, 'latin1')) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield { line, isWhole: true };
  }
  if (rest !== '') yield { line: rest, isWhole: false };
}
