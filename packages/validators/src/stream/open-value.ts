import { type Check, startFindings } from '../findings.js';
import type { ValidationIssue } from '../validation-result.js';
import { checkLength, checkPart, unknownMember } from '../value-rules.js';
import { isWritten } from './item-scan.js';
import type { StreamMember, StreamNode } from './stream-node.js';

/** An issue and where in the bytes it was seen. */
export interface LocatedIssue {
  readonly issue: ValidationIssue;
  readonly byteOffset: number;
}

/**
 * An object or a list of the contract that has been opened and not yet closed. Issues are kept by member, because a later member
 * of the same name replaces an earlier one; so the memory is bounded by the contract, not by the document.
 */
export class OpenValue {
  readonly node: StreamNode;
  readonly parent: OpenValue | undefined;
  /** The member that is being read, or undefined for one that the contract does not know. */
  member: StreamMember | undefined;
  /** Index of the item that is being read. */
  index = 0;
  /** The first issue of a list. */
  issue: LocatedIssue | undefined;
  /** Place, in the order of the contract, behind the last member of it. */
  #next = 0;
  readonly #seen: boolean[] = [];
  #issues: Map<StreamMember, LocatedIssue> | undefined;
  /** The first member that a closed object must not have. */
  #unknown: LocatedIssue | undefined;

  constructor(node: StreamNode, parent: OpenValue | undefined) {
    this.node = node;
    this.parent = parent;
  }

  get isObject(): boolean {
    return this.node.members !== undefined;
  }

  /** Names and indexes that lead to the value that is being read inside this one. */
  get path(): (string | number)[] {
    return [...(this.parent?.path ?? []), this.member?.name ?? this.index];
  }

  /**
   * Begins the member behind the last one of the contract, if the bytes name it plainly; returns how many bytes its name takes. Most
   * objects are in order and compact, so that most names are compared and never read.
   */
  beginNext(bytes: Uint8Array, at: number): number {
    const next = this.node.inOrder[this.#next];
    if (!next || !isWritten(bytes, at, next.written)) return 0;
    this.#enter(next);
    return next.written.length;
  }

  /** Begins the member of a name; gives the issue where it must not be there. */
  begin(name: string, byteOffset: number): LocatedIssue | undefined {
    const member = this.node.members?.get(name);
    if (member) this.#enter(member);
    else this.member = undefined;
    if (member || !this.node.isClosed) return undefined;
    this.#unknown ??= this.#located((findings) => checkPart(findings, name, null, true, unknownMember), byteOffset);
    return this.#unknown;
  }

  /** What an earlier member of the same name had wrong no longer counts. */
  #enter(member: StreamMember): void {
    this.member = member;
    this.#next = member.order + 1;
    this.#seen[member.order] = true;
    this.#issues?.delete(member);
  }

  /** Keeps an issue of the value that is being read. */
  keep(found: LocatedIssue): void {
    if (!this.isObject) this.issue ??= found;
    else if (this.member) {
      this.#issues ??= new Map();
      this.#issues.set(this.member, found);
    }
  }

  /**
   * The first issue of this value in the order of the object validator, now that it is closed.
   *
   * @param length how many items a list has
   */
  close(byteOffset: number, length: number): LocatedIssue | undefined {
    if (!this.isObject) {
      const { limits } = this.node;
      return this.#located((findings) => checkLength(findings, length, limits), byteOffset) ?? this.issue;
    }
    for (const member of this.node.inOrder) {
      if (member.required && !this.#seen[member.order]) {
        return this.#located((findings) => checkPart(findings, member.name, undefined, true, member.node), byteOffset);
      }
      const found = this.#issues?.get(member);
      if (found) return found;
    }
    return this.#unknown;
  }

  /** The issue that a check of this value finds. */
  #located(check: Check, byteOffset: number): LocatedIssue | undefined {
    const findings = startFindings('body');
    findings.path = this.parent?.path ?? [];
    check(findings, undefined);
    const [issue] = findings.issues;
    return issue && { issue, byteOffset };
  }
}
