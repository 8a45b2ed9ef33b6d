import { add, startFindings } from '../findings.js';
import type { ValidationIssue } from '../validation-result.js';
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
  /** The first issue of a list; its other items are then read for their grammar alone. */
  issue: LocatedIssue | undefined;
  /** Place, in the order of the contract, behind the last member of it. */
  #next = 0;
  readonly #seen: boolean[] = [];
  #issues: Map<StreamMember, LocatedIssue> | undefined;

  constructor(node: StreamNode, parent: OpenValue | undefined) {
    this.node = node;
    this.parent = parent;
  }

  get isObject(): boolean {
    return this.node.members !== undefined;
  }

  /** The JSON Pointer of the value that is being read inside this one. */
  get pointer(): string {
    const token = this.member ? this.member.name.replaceAll('~', '~0').replaceAll('/', '~1') : String(this.index);
    return `${this.parent?.pointer ?? ''}/${token}`;
  }

  /**
   * Begins the member behind the last one of the contract, if the bytes name it plainly; gives the place of its value. Most objects
   * are in order and compact, so that most names are compared and never read.
   */
  beginNext(bytes: Uint8Array, at: number): number {
    const next = this.node.inOrder?.[this.#next];
    if (!next || !standsAt(bytes, at, next.written)) return at;
    this.#enter(next);
    return at + next.written.length;
  }

  /** Begins the member of a name. */
  begin(name: string): void {
    const member = this.node.members?.get(name);
    if (member) this.#enter(member);
    else this.member = undefined;
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

  /** The first issue of this value in the order of the object validator, now that it is closed. */
  close(byteOffset: number): LocatedIssue | undefined {
    if (!this.node.inOrder) return this.issue;
    for (const member of this.node.inOrder) {
      if (member.required && !this.#seen[member.order]) {
        const findings = startFindings('body');
        this.member = member;
        add(findings, this.pointer, 'required', 'is required');
        return { issue: findings.issues[0] as ValidationIssue, byteOffset };
      }
      const found = this.#issues?.get(member);
      if (found) return found;
    }
    return undefined;
  }
}

/** Whether the bytes at one place are those of a text. */
function standsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  if (at + text.length > bytes.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text[index]) return false;
  return true;
}
