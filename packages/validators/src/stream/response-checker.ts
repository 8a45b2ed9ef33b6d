import { add, startFindings } from '../findings.js';
import type { ValidationIssue } from '../validation-result.js';
import { scanItems } from './item-scan.js';
import { findKernel, type Kernel, kernelBytes } from './kernel.js';
import { Nesting } from './nesting.js';
import type { ScanResult } from './number-scan.js';
import { type LocatedIssue, OpenValue } from './open-value.js';
import { anything, type StreamNode } from './stream-node.js';
import { invalid, type StringScan, scanString, startString } from './string-scan.js';
import { TokenBytes } from './token-bytes.js';

/** What a finished check says: nothing, or the issue that comes first for the object validator too, and where its value begins. */
export type StreamVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly issues: readonly [ValidationIssue]; readonly byteOffset: number };

/** Checks the bytes of one answer as they flow by. */
export interface ResponseChecker {
  /**
   * Reads the next piece of the body; it is not kept and not changed. False as soon as something is wrong. What is wrong stays so
   * except in one case: a later member of the same name replaces an earlier one, as it does for JSON.parse. `end` decides.
   */
  write(chunk: Uint8Array): boolean;
  /** Says that the body has ended, and gives the verdict. */
  end(): StreamVerdict;
}

/** Strings that have a rule, names and numbers longer than this are refused: the checker never holds more of a body. */
const mostTokenBytes = 65_536;

/** Shorter pieces are looked at where they lie: copying them to the kernel would cost more than it saves. */
const usualLeastForKernel = 4096;

type State = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'after' | 'string' | 'scalar' | 'done';

const nothing = new Uint8Array(0);
const notJson = 'is not valid JSON in UTF-8';
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The general checker; what it knows about the contract is in the node. */
export class DocumentChecker implements ResponseChecker {
  #state: State = 'value';
  #open: OpenValue | undefined;
  /** What the value that comes next must be. */
  #node: StreamNode;
  readonly #skipped = new Nesting();
  readonly #token = new TokenBytes(mostTokenBytes);
  #string: StringScan = startString();
  #isName = false;
  #kept = false;
  /** Bytes before the current piece, and the place of the token that is being read. */
  #before = 0;
  #tokenAt = 0;
  #clean = true;
  #root: LocatedIssue | undefined;
  #broken: LocatedIssue | undefined;
  readonly #scan: ScanResult = { at: 0, items: 0, closed: false };
  readonly #leastForKernel: number;
  #kernel: Kernel | null = null;

  constructor(node: StreamNode, found?: ValidationIssue, leastForKernel = usualLeastForKernel) {
    this.#node = node;
    this.#leastForKernel = leastForKernel;
    if (found) {
      this.#root = { issue: found, byteOffset: 0 };
      this.#clean = false;
    }
  }

  write(chunk: Uint8Array): boolean {
    this.#kernel = chunk.length < this.#leastForKernel ? null : findKernel();
    if (!this.#kernel) this.#read(chunk, new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    else {
      const { bytes, view } = this.#kernel;
      for (let start = 0; start < chunk.length; start += kernelBytes) {
        const piece = chunk.subarray(start, start + kernelBytes);
        bytes.set(piece);
        this.#read(bytes.subarray(0, piece.length), view);
      }
    }
    return this.#clean;
  }

  #read(chunk: Uint8Array, view: DataView): void {
    let at = this.#skipMark(chunk);
    while (at < chunk.length && !this.#broken) at = this.#step(chunk, view, at);
    this.#before += chunk.length;
  }

  end(): StreamVerdict {
    if (!this.#broken && this.#state === 'scalar') this.#finishScalar(this.#token.take(nothing));
    if (!this.#broken && this.#state !== 'done') this.#break('ends too early', this.#before);
    const found = this.#broken ?? this.#root;
    return found ? { ok: false, issues: [found.issue], byteOffset: found.byteOffset } : { ok: true };
  }

  /** A byte order mark in front is passed over, as decoders do: https://encoding.spec.whatwg.org/#utf-8-decode */
  #mark = 0;
  #skipMark(chunk: Uint8Array): number {
    let at = 0;
    while (this.#mark < 3 && at < chunk.length) {
      if (chunk[at] !== [0xef, 0xbb, 0xbf][this.#mark]) {
        if (this.#mark > 0) this.#break(notJson, this.#before + at);
        this.#mark = 3;
        return at;
      }
      this.#mark++;
      at++;
    }
    return at;
  }

  /** Reads on from one place of the piece and gives the next. */
  #step(chunk: Uint8Array, view: DataView, at: number): number {
    if (this.#state === 'string') return this.#readString(chunk, at);
    if (this.#state === 'scalar') return this.#readScalar(chunk, at);
    let place = at;
    if (this.#state === 'value' || this.#state === 'value-or-end') {
      const passed = this.#passItems(chunk, view, at);
      if (passed !== at) return passed;
    } else if (this.#state === 'name' || this.#state === 'name-or-end') {
      const passed = this.#passName(chunk, at);
      if (passed !== at) return passed;
    }
    const byte = chunk[place] as number;
    place++;
    if (byte === 32 || byte === 10 || byte === 13 || byte === 9) return place;
    switch (this.#state) {
      case 'value-or-end':
        if (byte === 93) this.#close(place);
        else return this.#beginValue(byte, place);
        break;
      case 'value':
        return this.#beginValue(byte, place);
      case 'name-or-end':
        if (byte === 125) this.#close(place);
        else this.#beginName(byte, place);
        break;
      case 'name':
        this.#beginName(byte, place);
        break;
      case 'colon':
        if (byte !== 58) this.#break(notJson, this.#before + place - 1);
        this.#state = 'value';
        break;
      case 'after':
        this.#afterValue(byte, place);
        break;
      default:
        this.#break('holds more than one JSON value', this.#before + place - 1);
    }
    return place;
  }

  /** Passes over items that a fast scan finds valid. */
  #passItems(chunk: Uint8Array, view: DataView, at: number): number {
    const list = this.#open;
    // A list or an object in place of a number or a choice is an issue, so nothing inside of it is passed over.
    if (list === undefined || list.issue) return at;
    if (!scanItems(list.node, chunk, view, at, this.#scan, this.#kernel)) return at;
    list.index += this.#scan.items;
    this.#state = 'value';
    if (this.#scan.closed) this.#close(this.#scan.at);
    return this.#scan.at;
  }

  /** Passes over the name of the member that is expected next. */
  #passName(chunk: Uint8Array, at: number): number {
    const object = this.#skipped.depth > 0 ? undefined : this.#open;
    const passed = object?.beginNext(chunk, at) ?? at;
    if (passed !== at) {
      this.#node = object?.member?.node ?? anything;
      this.#state = 'value';
    }
    return passed;
  }

  #beginValue(byte: number, place: number): number {
    this.#tokenAt = this.#before + place - 1;
    const { members, items } = this.#node;
    if (byte === 123 || byte === 91) {
      const isObject = byte === 123;
      this.#state = isObject ? 'name-or-end' : 'value-or-end';
      if (isObject ? members : items) {
        this.#open = new OpenValue(this.#node, this.#open);
        this.#node = items ?? anything;
        return place;
      }
      this.#judge(isObject ? {} : []);
      if (!this.#skipped.open(isObject)) this.#break('is nested too deeply', this.#before + place - 1);
      this.#node = anything;
      return place;
    }
    if (byte === 34) {
      this.#beginString(false, !this.#node.anyText);
      return place;
    }
    if (byte === 45 || (byte >= 48 && byte <= 57) || byte === 116 || byte === 102 || byte === 110) {
      this.#state = 'scalar';
      return place - 1;
    }
    this.#break(notJson, this.#before + place - 1);
    return place;
  }

  #beginName(byte: number, place: number): void {
    this.#tokenAt = this.#before + place - 1;
    if (byte !== 34) {
      this.#break(notJson, this.#tokenAt);
      return;
    }
    this.#beginString(true, this.#skipped.depth === 0);
  }

  #beginString(isName: boolean, kept: boolean): void {
    this.#state = 'string';
    this.#isName = isName;
    this.#kept = kept;
    this.#string = startString();
  }

  #readString(chunk: Uint8Array, start: number): number {
    const at = scanString(chunk, start, chunk.length, this.#string);
    if (at === invalid) {
      this.#break(notJson, this.#tokenAt);
      return chunk.length;
    }
    if (at === chunk.length) {
      if (this.#kept) this.#token.keep(chunk.subarray(start));
      return at;
    }
    this.#finishString(this.#kept ? this.#token.take(chunk, start, at) : '');
    return at + 1;
  }

  #finishString(raw: string | undefined): void {
    if (this.#isName) {
      this.#state = 'colon';
      if (this.#skipped.depth > 0) return;
      // A name that is too long to be kept is none of the contract.
      this.#open?.begin(this.#unescaped(raw ?? ''));
      this.#node = this.#open?.member?.node ?? anything;
      return;
    }
    if (raw === undefined) this.#find('maxBytes', `must not be longer than ${mostTokenBytes} bytes`);
    else if (this.#kept) this.#judge(this.#unescaped(raw));
    this.#endValue();
  }

  #unescaped(raw: string): string {
    return this.#string.plain ? raw : (JSON.parse(`"${raw}"`) as string);
  }

  #readScalar(chunk: Uint8Array, start: number): number {
    let at = start;
    while (at < chunk.length && !isDelimiter(chunk[at] as number)) at++;
    if (at < chunk.length) this.#finishScalar(this.#token.take(chunk, start, at));
    else {
      this.#token.keep(chunk.subarray(start));
      if (this.#token.tooLong) this.#finishScalar(undefined);
    }
    return at;
  }

  #finishScalar(text: string | undefined): void {
    if (text === undefined) {
      this.#break('holds a number that is too long', this.#tokenAt);
      return;
    }
    const literal = text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : undefined;
    if (literal === undefined && !number.test(text)) {
      this.#break(notJson, this.#tokenAt);
      return;
    }
    this.#judge(literal === undefined ? Number(text) : literal);
    this.#endValue();
  }

  #afterValue(byte: number, place: number): void {
    const isObject = this.#skipped.depth > 0 ? this.#skipped.isObject : this.#open?.isObject === true;
    if (byte === (isObject ? 125 : 93)) {
      this.#close(place);
      return;
    }
    if (byte !== 44) {
      this.#break(notJson, this.#before + place - 1);
      return;
    }
    this.#state = isObject ? 'name' : 'value';
    if (this.#skipped.depth > 0 || isObject || !this.#open) return;
    this.#open.index++;
    this.#node = this.#open.issue ? anything : (this.#open.node.items ?? anything);
  }

  /** Ends an object or a list; what it found counts for the value around it. */
  #close(place: number): void {
    if (this.#skipped.depth > 0) this.#skipped.depth--;
    else if (this.#open) {
      const found = this.#open.close(this.#before + place - 1);
      this.#open = this.#open.parent;
      if (found) this.#keep(found);
    }
    this.#endValue();
  }

  #endValue(): void {
    this.#state = this.#skipped.depth > 0 || this.#open ? 'after' : 'done';
  }

  /** Asks the contract about a value that has been read. */
  #judge(value: unknown): void {
    const { check } = this.#node;
    if (!check) return;
    let findings = startFindings('body');
    check(findings, value);
    if (findings.issues.length === 0) return;
    findings = startFindings('body');
    findings.at = this.#open?.pointer ?? '';
    check(findings, value);
    this.#keep({ issue: findings.issues[0] as ValidationIssue, byteOffset: this.#tokenAt });
  }

  #find(rule: string, words: string): void {
    const findings = startFindings('body');
    add(findings, this.#open?.pointer ?? '', rule, words);
    this.#keep({ issue: findings.issues[0] as ValidationIssue, byteOffset: this.#tokenAt });
  }

  #keep(found: LocatedIssue): void {
    this.#clean = false;
    if (this.#open) this.#open.keep(found);
    else this.#root ??= found;
  }

  /** The bytes are no JSON text: nothing else counts any more. */
  #break(words: string, byteOffset: number): void {
    const findings = startFindings('body');
    add(findings, '', 'json', words);
    this.#clean = false;
    this.#broken = { issue: findings.issues[0] as ValidationIssue, byteOffset };
  }
}

function isDelimiter(byte: number): boolean {
  return byte === 44 || byte === 93 || byte === 125 || byte === 32 || byte === 10 || byte === 13 || byte === 9;
}
