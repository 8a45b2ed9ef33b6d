import { anything, type ListLimits, list, object, type ValueRule } from '../value-rules.js';
import { type WrittenText, writtenText } from './byte-scan.js';
import type { ScannedItems } from './item-scan.js';
import { numberRange } from './number-shape.js';
import { enumerationBytes } from './text-scan.js';

/** The facts of a rule that reading bytes needs, each with a value. */
type Facts = Required<Pick<ValueRule, 'check' | 'acceptsAnyText' | 'isWhole' | 'isClosed'>>;

/** A rule of the contract, prepared for reading bytes. `check` is passed an empty object or list, for its type alone. */
export interface StreamNode extends Facts, ScannedItems {
  /** The members of an object, by name, and in the order in which the object validator checks them. */
  readonly members: ReadonlyMap<string, StreamMember> | undefined;
  readonly inOrder: readonly StreamMember[];
  /** The items of a list. */
  readonly items: StreamNode | undefined;
  readonly limits: ListLimits | undefined;
}

export interface StreamMember {
  readonly name: string;
  /** The name with its quotes and the colon, as compact JSON writes it. */
  readonly written: WrittenText;
  /** Place in the order in which the object validator checks the members. */
  readonly order: number;
  readonly required: boolean;
  readonly node: StreamNode;
}

const prepared = /*#__PURE__*/ new WeakMap<ValueRule, StreamNode>();
const documents = /*#__PURE__*/ new WeakMap<ValueRule, StreamNode>();

/** Prepares a rule and all inside it, once. */
export function nodeOf(rule: ValueRule): StreamNode {
  const known = prepared.get(rule);
  if (known !== undefined) return known;
  const { check, acceptsAnyText = false, isWhole = false, isClosed = false } = rule;
  const inOrder = (rule.members ?? []).map(memberOf);
  const node: StreamNode = {
    check,
    acceptsAnyText,
    isWhole,
    isClosed,
    members: rule.members && new Map(inOrder.map((member) => [member.name, member])),
    inOrder,
    items: rule.items && nodeOf(rule.items),
    limits: rule.limits,
    numbers: rule.range && numberRange(rule.range),
    values: rule.values && enumerationBytes(rule.values),
  };
  prepared.set(rule, node);
  return node;
}

/** A list of which the document of a rule is the only item. */
export function documentOf(rule: ValueRule): StreamNode {
  const known = documents.get(rule);
  if (known !== undefined) return known;
  const node: StreamNode = { ...unknownList, items: nodeOf(rule) };
  documents.set(rule, node);
  return node;
}

function memberOf([name, required, rule]: readonly [string, boolean, ValueRule], order: number): StreamMember {
  return {
    name,
    written: writtenText(`${JSON.stringify(name)}:`),
    order,
    required,
    node: nodeOf(rule),
  };
}

// What the contract says nothing about.
export const unknown = /*#__PURE__*/ nodeOf(anything);
export const unknownObject = /*#__PURE__*/ nodeOf(/*#__PURE__*/ object([]));
export const unknownList = /*#__PURE__*/ nodeOf(/*#__PURE__*/ list(anything));
