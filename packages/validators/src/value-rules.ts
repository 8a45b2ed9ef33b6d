// What the rules of the contract are made of. The generated files call these functions, one for each place of a schema.
import { add, type Check, type Findings, isFull } from './findings.js';

/** What the contract says about one place of a document. */
export interface ValueRule {
  /** Checks a value that is there. */
  readonly check: Check;
  /** Whether every string passes. */
  readonly acceptsAnyText?: boolean;
  /** The members of an object, in the order in which they are checked. */
  readonly members?: readonly MemberRule[];
  /** Whether an object has no other members. */
  readonly isClosed?: boolean;
  /** The items of a list. */
  readonly items?: ValueRule;
  readonly limits?: ListLimits | undefined;
  /** The range of the items, in a list of numbers. */
  readonly range?: NumberRule;
  /** The values of the items, in a list of fixed values. */
  readonly values?: Values;
  /** False for a response that the contract does not list, whose whole body is the issue. */
  readonly isListed?: boolean;
  /** Whether the value can be checked only as a whole. */
  readonly isWhole?: boolean;
}

export type MemberRule = readonly [name: string, required: boolean, rule: ValueRule];

/** One rule of a string beyond its type. */
export type TextRule = readonly [name: string, words: string, test: (text: string) => boolean];

export interface NumberRule {
  readonly integer?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

export interface ListLimits {
  readonly minItems?: number;
  readonly maxItems?: number;
}

type Values = readonly (string | number | boolean | null)[];

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type that a value has in JSON. */
function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/** Adds the issue that a value is not of its type. */
export function addType(findings: Findings, words: string): void {
  add(findings, 'type', `must be ${words}`);
}

/** Checks a member, an item or a parameter, which may be missing. */
export function checkPart(
  findings: Findings,
  key: string | number,
  value: unknown,
  required: boolean,
  { check }: Pick<ValueRule, 'check'>,
): void {
  if (value === undefined && !required) return;
  findings.path.push(key);
  if (value === undefined) add(findings, 'required', 'is required');
  else check(findings, value);
  findings.path.pop();
}

/** A place about which the contract says nothing. */
export const anything: ValueRule = { check: () => {}, acceptsAnyText: true };

export function boolean(): ValueRule {
  return {
    check: (findings, value) => {
      if (typeof value !== 'boolean') addType(findings, 'true or false');
    },
  };
}

export function text(rules: readonly TextRule[] = []): ValueRule {
  return {
    acceptsAnyText: rules.length === 0,
    check: (findings, value) => {
      if (typeof value !== 'string') return addType(findings, 'text');
      const broken = rules.find((rule) => !rule[2](value));
      if (broken) add(findings, broken[0], `must be ${broken[1]}`);
    },
  };
}

export function number(rule: NumberRule = {}): ValueRule {
  const { integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = rule;
  return {
    check: (findings, value) => {
      if (typeof value !== 'number' || !(integer ? Number.isInteger(value) : Number.isFinite(value))) {
        return addType(findings, integer ? 'a whole number' : 'a number');
      }
      const violate = (name: string, words: string) => add(findings, name, `must be ${words}`, 'range');
      if (minimum !== undefined && value < minimum) violate('minimum', `at least ${minimum}`);
      else if (maximum !== undefined && value > maximum) violate('maximum', `at most ${maximum}`);
      else if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
        violate('exclusiveMinimum', `greater than ${exclusiveMinimum}`);
      } else if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
        violate('exclusiveMaximum', `less than ${exclusiveMaximum}`);
      }
    },
  };
}

export function enumeration(values: Values): ValueRule {
  const words = `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  const types = new Set(values.map(typeOf));
  return {
    check: (findings, value) => {
      if ((values as readonly unknown[]).includes(value)) return;
      if (types.has(typeOf(value))) add(findings, 'enum', `must be ${words}`, 'enumeration');
      else addType(findings, words);
    },
  };
}

export function nullable(rule: ValueRule): ValueRule {
  return { ...rule, check: (findings, value) => value === null || rule.check(findings, value) };
}

/** An object. What the contract does not name passes, or must match `others`, or is an issue where `others` is null. */
export function object(members: readonly MemberRule[], others: ValueRule | null = anything): ValueRule {
  const known = new Set(members.map(([name]) => name));
  return {
    ...(others === anything || others === null ? { members, isClosed: others === null } : { isWhole: true }),
    check: (findings, value) => {
      if (!isObject(value)) return addType(findings, 'an object');
      for (const [name, required, rule] of members) {
        // Names that every object inherits count as its own members only.
        const member = name in Object.prototype && !Object.hasOwn(value, name) ? undefined : value[name];
        checkPart(findings, name, member, required, rule);
      }
      if (others === anything) return;
      for (const name of Object.keys(value)) {
        if (!known.has(name)) checkPart(findings, name, value[name], false, others ?? unknownMember);
      }
    },
  };
}

/** What a member is that a closed object does not have. */
export const unknownMember: ValueRule = {
  check: (findings) => add(findings, 'additionalProperties', 'is not a member of this object'),
};

/** A list. `areValid` tells quickly whether all items are valid; the items are checked one by one only where it says no. */
export function list(
  items: ValueRule,
  limits?: ListLimits,
  areValid: (items: readonly unknown[]) => boolean = () => items === anything,
): ValueRule {
  return {
    items,
    limits,
    check: (findings, value) => {
      if (!Array.isArray(value)) return addType(findings, 'a list');
      if (limits) checkLength(findings, value.length, limits);
      if (areValid(value)) return;
      for (let index = 0; index < value.length && !isFull(findings); index++) {
        checkPart(findings, index, value[index], true, items);
      }
    },
  };
}

export function checkLength(findings: Findings, length: number, { minItems, maxItems }: ListLimits): void {
  if (minItems !== undefined && length < minItems) add(findings, 'minItems', `must have at least ${minItems} items`);
  if (maxItems !== undefined && length > maxItems) add(findings, 'maxItems', `must have at most ${maxItems} items`);
}

/** A list of numbers. Each has a function of its own, which an engine compiles for the kind of numbers in that list. */
export function numberList(
  items: ValueRule,
  range: NumberRule,
  areValid: (items: readonly unknown[]) => boolean,
  limits?: ListLimits,
): ValueRule {
  return { ...list(items, limits, areValid), range };
}

/** A list of fixed values. They come in long runs, so most are only compared with the one before. */
export function enumerationList(items: ValueRule, values: Values, limits?: ListLimits): ValueRule {
  const areValid = (list: readonly unknown[]): boolean => {
    let last: unknown;
    for (let index = 0; index < list.length; index++) {
      const item = list[index];
      if (item === last && index > 0) continue;
      if (!(values as readonly unknown[]).includes(item)) return false;
      last = item;
    }
    return true;
  };
  return { ...list(items, limits, areValid), values };
}
