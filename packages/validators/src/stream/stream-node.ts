import type { Check } from '../findings.js';
import { type ChoiceBytes, choiceBytes } from './choice-scan.js';
import { type NumberRange, numberRange } from './number-range.js';

const encoder = /*#__PURE__*/ new TextEncoder();

/** What the streaming checker knows about one place of a document. It is made from the contract. */
export interface StreamNode {
  /** Says what is wrong with a value that has been read; an object or a list is passed empty, for its type alone. */
  readonly check?: Check;
  /** Whether strings pass whatever they hold, so that they need not be kept. */
  readonly anyText?: boolean;
  /** The members of an object, by name, and in the order in which the object validator looks at them. */
  readonly members?: ReadonlyMap<string, StreamMember>;
  readonly inOrder?: readonly StreamMember[];
  /** The items of a list. */
  readonly items?: StreamNode;
  readonly numbers?: NumberRange;
  readonly choices?: ChoiceBytes;
}

export interface StreamMember {
  readonly name: string;
  /** The name with its quotes and the colon, as compact JSON writes it. */
  readonly written: Uint8Array;
  /** Place in the order in which the object validator looks at the members. */
  readonly order: number;
  readonly required: boolean;
  readonly node: StreamNode;
}

/** A place about which the contract says nothing. */
export const anything: StreamNode = { anyText: true };

export function scalar(check: Check): StreamNode {
  return { check };
}

export function anyText(check: Check): StreamNode {
  return { check, anyText: true };
}

export function group(
  check: Check,
  members: readonly (readonly [name: string, required: boolean, node: StreamNode])[],
): StreamNode {
  const inOrder = members.map(([name, required, node], order) => {
    return { name, written: encoder.encode(`${JSON.stringify(name)}:`), order, required, node };
  });
  return { check, inOrder, members: new Map(inOrder.map((member) => [member.name, member])) };
}

export function list(check: Check, items: StreamNode): StreamNode {
  return { check, items };
}

export function numberList(
  check: Check,
  items: StreamNode,
  integer: boolean,
  minimum?: number,
  maximum?: number,
): StreamNode {
  return { check, items, numbers: numberRange(integer, minimum, maximum) };
}

export function choiceList(check: Check, items: StreamNode, choices: readonly unknown[]): StreamNode {
  return { check, items, choices: choiceBytes(choices) };
}
