import type { Check } from '../findings.js';
import type { ListLimits, ValueRule } from '../value-rules.js';
import { type EnumerationBytes, enumerationBytes } from './item-scan.js';
import { type NumberRange, numberRange } from './number-shape.js';

/** A rule of the contract, prepared for reading bytes. */
export interface StreamNode {
  /** Checks a value that has been read; an object or a list is passed empty, for its type alone. */
  readonly check: Check;
  /** Whether strings pass whatever they hold, so that they need not be kept. */
  readonly acceptsAnyText: boolean;
  /** Whether the value is kept and checked as a whole. */
  readonly isWhole: boolean;
  /** The members of an object, by name, and in the order in which the object validator checks them. */
  readonly members: ReadonlyMap<string, StreamMember> | undefined;
  readonly inOrder: readonly StreamMember[];
  readonly isClosed: boolean;
  /** The items of a list. */
  readonly items: StreamNode | undefined;
  readonly limits: ListLimits;
  readonly numbers: NumberRange | undefined;
  readonly values: EnumerationBytes | undefined;
}

export interface StreamMember {
  readonly name: string;
  /** The name with its quotes and the colon, as compact JSON writes it. */
  readonly written: Uint8Array;
  /** Place in the order in which the object validator checks the members. */
  readonly order: number;
  readonly required: boolean;
  readonly node: StreamNode;
}

const encoder = /*#__PURE__*/ new TextEncoder();
const prepared = /*#__PURE__*/ new WeakMap<ValueRule, StreamNode>();

/** Prepares a rule and all inside it, once. */
export function nodeOf(rule: ValueRule): StreamNode {
  const known = prepared.get(rule);
  if (known !== undefined) return known;
  const { check, acceptsAnyText = false, isWhole = false, isClosed = false, limits = {} } = rule;
  const inOrder = isWhole ? [] : (rule.members ?? []).map(memberOf);
  const node: StreamNode = {
    check,
    acceptsAnyText,
    isWhole,
    members: rule.members && !isWhole ? new Map(inOrder.map((member) => [member.name, member])) : undefined,
    inOrder,
    isClosed,
    items: rule.items && nodeOf(rule.items),
    limits,
    numbers: rule.range && numberRange(rule.range),
    values: rule.values && enumerationBytes(rule.values),
  };
  prepared.set(rule, node);
  return node;
}

function memberOf([name, required, rule]: readonly [string, boolean, ValueRule], order: number): StreamMember {
  return { name, written: encoder.encode(`${JSON.stringify(name)}:`), order, required, node: nodeOf(rule) };
}
