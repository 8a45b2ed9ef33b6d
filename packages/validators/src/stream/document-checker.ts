// Reads the bytes of a document as they arrive, and judges each value where it ends. It is one class, since all of it is the state
// between two bytes; whatever needs none of that (scans of names, lists, texts and numbers, the value that is open) is in a file beside it.
import { add, type Check } from '../findings.js';
import type { ValidationIssue } from '../validation-result.js';
import type { ValueRule } from '../value-rules.js';
import { isSpace, passSpace, type Scan, startScan } from './byte-scan.js';
import { scanItems, scanUnknownItems } from './item-scan.js';
import { type LocatedIssue, locate, OpenValue } from './open-value.js';
import { isDelimiter, parsed, plainNumber } from './scalar.js';
import { documentOf, unknown, unknownList, unknownObject } from './stream-node.js';
import { invalid, restartString, type StringScan, scanString, startString } from './string-scan.js';
import { mostTokenBytes, nothing, TokenBytes } from './token-bytes.js';

/** The verdict: the first issue is that of the object validator, with the byte at which its value begins. */
export type StreamVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly issues: readonly [ValidationIssue]; readonly byteOffset: number };

type State = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'after' | 'string' | 'scalar' | 'done';

const byteOrderMark = [0xef, 0xbb, 0xbf];
const notJson = 'is not valid JSON in UTF-8';
const mostLevels = 65_536;

/** What is read between two pieces. */
const noScan: Scan = /*#__PURE__*/ startScan(nothing);

/** What one document after the other can use. */
class Workspace {
  /** What is around a document: a list, of which the document is the only item. */
  readonly outside = new OpenValue();
  readonly token = new TokenBytes();
  readonly string: StringScan = startString();
}

/** That of the document that was read to its end last. */
let spare: Workspace | undefined;

/** Checks the bytes of one document against the rules of the contract as they arrive. */
export class DocumentChecker {
  #state: State = 'value';
  /** The next document's, once this one has been read to its end. */
  readonly #workspace: Workspace;
  readonly #token: TokenBytes;
  readonly #string: StringScan;
  /** The object or list that is being read. */
  #open: OpenValue;
  #isName = false;
  #isKept = false;
  /** A value that is checked as a whole: its rule, its bytes so far, and where it begins in the document and in the piece. */
  #whole: { check: Check; bytes: TokenBytes; byteOffset: number; from: number } | undefined;
  /** The piece that is being read, and the bytes before it. */
  #scan: Scan = noScan;
  #before = 0;
  /** Where the token that is being read begins in the document. */
  #tokenAt = 0;
  /** How much of a byte order mark has been read. */
  #mark = 0;
  /** The first issue that was seen, whether or not a later member replaces it. */
  #first: LocatedIssue | undefined;
  /** The issue of the whole document, once it has been read. */
  #last: LocatedIssue | undefined;
  #broken: LocatedIssue | undefined;

  constructor(rule: ValueRule) {
    this.#workspace = spare ?? new Workspace();
    spare = undefined;
    this.#open = this.#workspace.outside;
    this.#token = this.#workspace.token;
    this.#string = this.#workspace.string;
    this.#open.start(documentOf(rule));
    if (rule.isListed === false) this.#judge(null, 0);
  }

  /**
   * Reads the next piece of the body; it is not kept and not changed. Returns false as soon as there is a violation. Of a body that is
   * read to its end, `end` decides: a later member of the same name replaces an earlier one, as in JSON.parse.
   * Throws a TypeError for anything but a Uint8Array.
   */
  write(chunk: Uint8Array): boolean {
    // Any realm's Uint8Array, Buffer included; of anything else, no byte would be read.
    if ((chunk as Uint8Array | undefined)?.[Symbol.toStringTag] !== 'Uint8Array') {
      throw new TypeError('write needs a Uint8Array; encode text with TextEncoder first');
    }
    const scan = startScan(chunk);
    this.#scan = scan;
    this.#skipMark();
    while (scan.at < chunk.length && !this.#broken) this.#step();
    if (this.#whole) {
      this.#whole.bytes.keep(chunk.subarray(this.#whole.from));
      this.#whole.from = 0;
    }
    this.#scan = noScan;
    this.#before += chunk.length;
    return !this.#first;
  }

  /** Says that the body has ended or is read no further, and gives the verdict; of a body without its end, the first issue. */
  end(): StreamVerdict {
    const first = this.#first;
    if (!first && this.#state === 'scalar') this.#finishScalar(this.#token.take(nothing));
    const hasEnded = this.#state === 'done';
    if (!first && !hasEnded && !this.#broken) this.#break('ends too early', this.#before);
    const found = this.#broken ?? (hasEnded ? this.#last : first);
    return found ? { ok: false, issues: [found.issue], byteOffset: found.byteOffset } : { ok: true };
  }

  /** Decoders skip a byte order mark: https://encoding.spec.whatwg.org/#utf-8-decode */
  #skipMark(): void {
    const { bytes } = this.#scan;
    for (; this.#mark < 3 && this.#scan.at < bytes.length; this.#mark++) {
      if (bytes[this.#scan.at] !== byteOrderMark[this.#mark]) {
        if (this.#mark > 0) this.#break(notJson, this.#before + this.#scan.at);
        this.#mark = 3;
        return;
      }
      this.#scan.at++;
    }
  }

  /** Reads one token, or the white space before one. */
  #step(): void {
    const state = this.#state;
    const scan = this.#scan;
    if (state === 'string') this.#readString();
    else if (state === 'scalar') this.#readScalar();
    // All of it at once: the scans below would each read it again.
    else if (isSpace(scan.bytes[scan.at] as number)) scan.at = passSpace(scan, scan.at);
    else if (state === 'after') this.#readByte();
    else if (state === 'name' || state === 'name-or-end') this.#passName() || this.#readByte();
    else if (state === 'value' || state === 'value-or-end') this.#passItems() || this.#readByte();
    else this.#readByte();
  }

  #readByte(): void {
    const state = this.#state;
    const byte = this.#scan.bytes[this.#scan.at++] as number;
    this.#tokenAt = this.#before + this.#scan.at - 1;
    if (state === 'after') this.#afterValue(byte);
    else if ((state === 'value-or-end' && byte === 93) || (state === 'name-or-end' && byte === 125)) this.#close();
    else if (state === 'value' || state === 'value-or-end') this.#beginValue(byte);
    else if ((state === 'name' || state === 'name-or-end') && byte === 34) {
      this.#beginString(true, !this.#open.isUnknown);
    } else if (state === 'colon' && byte === 58) this.#state = 'value';
    else this.#break(state === 'done' ? 'holds more than one JSON value' : notJson);
  }

  /**
   * Passes over items that a fast scan finds valid: those of a list of the contract, or of one that it does not know. A list has one
   * issue, the first: what follows it needs to be JSON only.
   */
  #passItems(): boolean {
    const open = this.#open;
    if (!open.parent || open.isObject) return false;
    const scan = this.#scan;
    if (!(open.expected === unknown ? scanUnknownItems(scan) : scanItems(open.node, scan))) return false;
    open.index += scan.items;
    this.#state = 'value';
    if (scan.closed) this.#close();
    return true;
  }

  /** Passes over the name of the member that is expected next. */
  #passName(): boolean {
    const length = this.#open.beginNext(this.#scan);
    if (length === 0) return false;
    this.#scan.at += length;
    this.#state = 'value';
    const byte = this.#scan.bytes[this.#scan.at];
    if (byte !== undefined && !isSpace(byte) && !(byte === 91 && this.#passList())) this.#readByte();
    return true;
  }

  /** Passes over a list, or its first items, where a fast scan finds them valid; a whole one needs not be opened. */
  #passList(): boolean {
    const { expected } = this.#open;
    if (expected.limits) return false;
    const scan = this.#scan;
    const start = scan.at++;
    if (!scanItems(expected, scan)) {
      scan.at = start;
      return false;
    }
    if (scan.closed) this.#endValue();
    else {
      this.#open = this.#open.open(expected);
      this.#open.index = scan.items;
    }
    return true;
  }

  #beginValue(byte: number): void {
    if (byte === 123 || byte === 91) this.#beginNested(byte === 123);
    else if (byte === 34) this.#beginString(false, !this.#open.expected.acceptsAnyText);
    else if (byte === 45 || (byte >= 48 && byte <= 57) || byte === 116 || byte === 102 || byte === 110) {
      this.#state = 'scalar';
      this.#scan.at--;
      this.#readScalar();
    } else this.#break(notJson);
  }

  #beginNested(isObject: boolean): void {
    this.#state = isObject ? 'name-or-end' : 'value-or-end';
    if (this.#open.isUnknown) {
      if (this.#open.nested.push(isObject) === mostLevels) this.#break('is nested too deeply');
      return;
    }
    const { expected } = this.#open;
    const { check, members, items, isWhole } = expected;
    const isKnown = (isObject ? members : items) !== undefined;
    if (!isKnown && !isWhole) this.#judge(isObject ? {} : [], this.#tokenAt);
    this.#open = this.#open.open(isKnown ? expected : isObject ? unknownObject : unknownList);
    if (isWhole) {
      this.#whole = { check, bytes: new TokenBytes(), byteOffset: this.#tokenAt, from: this.#scan.at - 1 };
    }
  }

  #beginString(isName: boolean, isKept: boolean): void {
    this.#state = 'string';
    this.#isName = isName;
    this.#isKept = isKept;
    restartString(this.#string);
  }

  #readString(): void {
    const { bytes, at: start } = this.#scan;
    const at = scanString(bytes, start, bytes.length, this.#string);
    this.#scan.at = at + 1;
    if (at === invalid) this.#break(notJson, this.#tokenAt);
    else if (at < bytes.length) this.#finishString(this.#isKept ? this.#token.take(bytes, start, at) : '');
    else if (this.#isKept) this.#token.keep(bytes.subarray(start));
  }

  #finishString(raw: string | undefined): void {
    if (this.#isName) {
      this.#state = 'colon';
      if (!this.#isKept) return;
      // A name that is too long to be kept is none of the contract.
      const unexpected = this.#open.begin(this.#unescaped(raw ?? ''), this.#tokenAt);
      this.#first ??= unexpected;
      return;
    }
    if (raw === undefined) this.#judge(undefined, this.#tokenAt, tooLong);
    else if (this.#isKept) this.#judge(this.#unescaped(raw), this.#tokenAt);
    this.#endValue();
  }

  #unescaped(raw: string): string {
    return this.#string.plain ? raw : (JSON.parse(`"${raw}"`) as string);
  }

  #readScalar(): void {
    const { bytes, at: start } = this.#scan;
    let at = start;
    while (at < bytes.length && !isDelimiter(bytes[at] as number)) at++;
    this.#scan.at = at;
    const beginsHere = this.#tokenAt === this.#before + start;
    const number = at < bytes.length && beginsHere ? plainNumber(bytes, start, at) : undefined;
    if (number !== undefined) this.#finishValue(number);
    else if (at < bytes.length) this.#finishScalar(this.#token.take(bytes, start, at));
    else {
      this.#token.keep(bytes.subarray(start));
      if (this.#token.tooLong) this.#finishScalar(undefined);
    }
  }

  #finishScalar(text: string | undefined): void {
    const value = text === undefined ? undefined : parsed(text);
    if (value === undefined) {
      this.#break(text === undefined ? 'holds a number that is too long' : notJson, this.#tokenAt);
    } else this.#finishValue(value);
  }

  #finishValue(value: unknown): void {
    this.#judge(value, this.#tokenAt);
    this.#endValue();
  }

  #afterValue(byte: number): void {
    const open = this.#open;
    if (byte === (open.isObject ? 125 : 93)) this.#close();
    else if (byte === 44) {
      open.index++;
      if (open.isObject) {
        this.#state = 'name';
        this.#passName();
      } else this.#state = 'value';
    } else this.#break(notJson);
  }

  /** Ends an object or a list; what it found counts for the value around it. */
  #close(): void {
    const open = this.#open;
    if (open.nested.pop() !== undefined) {
      this.#state = 'after';
      return;
    }
    // A scan has counted the last item already.
    const length = this.#state === 'after' ? open.index + 1 : open.index;
    const found = open.close(this.#before + this.#scan.at - 1, length);
    this.#open = open.parent as OpenValue;
    if (found) this.#keep(found);
    if (this.#whole) {
      const { check, bytes, byteOffset, from } = this.#whole;
      this.#whole = undefined;
      const text = bytes.take(this.#scan.bytes, from, this.#scan.at);
      if (text === undefined) this.#judge(undefined, byteOffset, tooLong);
      else this.#judge(JSON.parse(text), byteOffset, check);
    }
    this.#endValue();
  }

  #endValue(): void {
    if (this.#open.parent) {
      this.#state = 'after';
      return;
    }
    this.#state = 'done';
    this.#last = this.#open.issue;
    spare = this.#workspace;
  }

  /** Keeps the first issue that a check finds in a value that has been read. */
  #judge(value: unknown, byteOffset: number, check: Check = this.#open.expected.check): void {
    const found = check === unknown.check ? undefined : locate(check, value, byteOffset, this.#open);
    if (found) this.#keep(found);
  }

  #keep(found: LocatedIssue): void {
    this.#first ??= found;
    this.#open.keep(found);
  }

  /** The bytes are no JSON text: nothing else counts any more. */
  #break(words: string, byteOffset = this.#before + this.#scan.at - 1): void {
    this.#broken = locate((findings) => add(findings, 'json', words), undefined, byteOffset);
    this.#first ??= this.#broken;
  }
}

const tooLong: Check = (findings) => add(findings, 'maxBytes', `must not be longer than ${mostTokenBytes} bytes`);
