import { type Check, startFindings } from '../findings.js';
import type { ValidationIssue } from '../validation-result.js';
import { checkLength, checkPart, unknownMember } from '../value-rules.js';
import { isWritten, type Scan } from './byte-scan.js';
import { type StreamMember, type StreamNode, unknown, unknownList, unknownObject } from './stream-node.js';

/** An issue and where in the bytes it was seen. */
export interface LocatedIssue {
  readonly issue: ValidationIssue;
  readonly byteOffset: number;
}

/** Only of what the contract does not know, brackets are counted. */
const noBrackets: boolean[] = [];

/** Reused from value to value for as long as nothing is found. */
let probe = /*#__PURE__*/ startFindings('body');

/** The first issue that a check finds in a value inside another. Only an issue needs its place, and few values have one. */
export function locate(check: Check, value: unknown, byteOffset: number, inside?: OpenValue): LocatedIssue | undefined {
  check(probe, value);
  if (probe.issues.length === 0) return undefined;
  probe = startFindings('body');
  const placed = startFindings('body');
  placed.path = inside?.path ?? [];
  check(placed, value);
  return { issue: placed.issues[0] as ValidationIssue, byteOffset };
}

/**
 * An object or a list that has been opened and not yet closed; about what the contract does not know, the outermost one. Issues are
 * kept by member, because a later member of the same name replaces an earlier one; so the memory is bounded by the contract, not by
 * the document.
 */
export class OpenValue {
  node: StreamNode = unknownList;
  readonly parent: OpenValue | undefined;
  /** Inside a value about which the contract says nothing: whether each bracket that is open in it is one of an object. */
  nested = noBrackets;
  /** The member that is being read, or undefined for one that the contract does not know. */
  member: StreamMember | undefined;
  /** Index of the item that is being read. */
  index = 0;
  /** The first issue of a list. */
  issue: LocatedIssue | undefined;
  /** Whether the contract says nothing about what is inside. */
  isUnknown = false;
  /** Place, in the order of the contract, behind the last member of it. */
  #next = 0;
  /** The members of the contract that were seen, by their order: the issue of each, or true. */
  readonly #seen: (LocatedIssue | boolean)[] = [];
  /** The first member that a closed object must not have. */
  #unexpected: { readonly name: string; readonly found: LocatedIssue | undefined } | undefined;
  /** What was open inside this one before, for the next value to use: small responses are mostly small objects. */
  #inside: OpenValue | undefined;

  /** The value around a whole document, a list of which the document is the only item; or, with a parent, one that is not open yet. */
  constructor(parent?: OpenValue) {
    this.parent = parent;
  }

  /** Opens a value as the member or item that is being read. */
  open(node: StreamNode): OpenValue {
    this.#inside ??= new OpenValue(this);
    this.#inside.start(node);
    return this.#inside;
  }

  /** Starts to read an object or a list. */
  start(node: StreamNode): void {
    this.node = node;
    this.isUnknown = node === unknownObject || node === unknownList;
    this.nested = this.isUnknown ? [] : noBrackets;
    this.member = undefined;
    this.index = 0;
    this.issue = undefined;
    this.#next = 0;
    this.#unexpected = undefined;
    for (let order = 0; order < node.inOrder.length; order++) this.#seen[order] = false;
  }

  get isObject(): boolean {
    const { nested } = this;
    return nested.length > 0 ? (nested[nested.length - 1] as boolean) : this.node.members !== undefined;
  }

  /** What the member or item that is being read must be. A list has one issue, the first: what follows it needs to be JSON only. */
  get expected(): StreamNode {
    return (this.isObject ? this.member?.node : this.issue ? undefined : this.node.items) ?? unknown;
  }

  /** Names and indexes that lead to the value that is being read inside this one. */
  get path(): (string | number)[] {
    return this.parent ? [...this.parent.path, this.member?.name ?? this.index] : [];
  }

  /**
   * Begins the member behind the last one of the contract, if the bytes that come next name it plainly; returns how many bytes its name takes. Most
   * objects are in order and compact, so that most names are compared and never read.
   */
  beginNext(scan: Scan): number {
    const next = this.node.inOrder[this.#next];
    if (!next || !isWritten(scan, scan.at, next.written)) return 0;
    this.#enter(next);
    return next.written.bytes.length;
  }

  /** Begins the member of a name; gives the issue where it must not be there. */
  begin(name: string, byteOffset: number): LocatedIssue | undefined {
    const member = this.node.members?.get(name);
    if (member) this.#enter(member);
    else this.member = undefined;
    if (member || !this.node.isClosed || !this.#isFirstUnexpected(name)) return undefined;
    const check: Check = (findings) => checkPart(findings, name, null, true, unknownMember);
    this.#unexpected = { name, found: locate(check, null, byteOffset, this.parent) };
    return this.#unexpected.found;
  }

  /** Whether a name comes before those so far in the parsed object, in which indexes come first. */
  #isFirstUnexpected(name: string): boolean {
    const first = this.#unexpected?.name;
    return first === undefined || Object.keys({ [first]: 0, [name]: 0 })[0] !== first;
  }

  /** What an earlier member of the same name had wrong no longer counts. */
  #enter(member: StreamMember): void {
    this.member = member;
    this.#next = member.order + 1;
    this.#seen[member.order] = true;
  }

  /** Keeps an issue of the value that is being read. */
  keep(found: LocatedIssue): void {
    if (!this.isObject) this.issue ??= found;
    else if (this.member) this.#seen[this.member.order] = found;
  }

  /**
   * The first issue of this value in the order of the object validator, now that it is closed.
   *
   * @param length how many items a list has
   */
  close(byteOffset: number, length: number): LocatedIssue | undefined {
    const { inOrder, limits } = this.node;
    for (let order = 0; order < inOrder.length; order++) {
      const seen = this.#seen[order];
      if (seen === true) continue;
      const { name, required, node } = inOrder[order] as StreamMember;
      if (seen) return seen;
      if (required) return this.#locate((findings) => checkPart(findings, name, undefined, true, node), byteOffset);
    }
    const unfit = limits && this.#locate((findings) => checkLength(findings, length, limits), byteOffset);
    return unfit ?? this.issue ?? this.#unexpected?.found;
  }
  #locate(check: Check, byteOffset: number): LocatedIssue | undefined {
    return locate(check, undefined, byteOffset, this.parent);
  }
}
