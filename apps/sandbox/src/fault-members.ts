import { answers, requiredNames } from './generated/answers.js';

/** What can be wrong with the members of an answer that is good otherwise. */
export type MemberChange = 'null-members' | 'unknown-members' | 'out-of-range';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** How far beyond its range a sentinel lies. */
const beyond = 0.5;

/** Every how many samples one is out of range. */
const oneIn = 7;

/**
 * Changes the members of `data` of an answer: optional ones become null, unknown ones appear, or numbers with a stated range get a
 * value just above it, as raw values that stand for "no value" do.
 */
export function changeMembers(json: string, change: MemberChange, operationId: string | undefined): string {
  const answer = JSON.parse(json) as { [key: string]: Json };
  const data = answer['data'];
  if (data !== undefined) {
    if (change === 'null-members') nullOptional(data);
    else if (change === 'unknown-members') addUnknown(data);
    else answer['data'] = exceed(data, 'data', answers[operationId ?? '']?.ranges ?? {});
  }
  return JSON.stringify(answer);
}

function nullOptional(value: Json): void {
  if (Array.isArray(value)) value.forEach(nullOptional);
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const leaf = Array.isArray(member) ? !isObject(member[0]) : !isObject(member);
      if (!leaf) nullOptional(member);
      else if (!requiredNames.has(name)) value[name] = null;
    }
  }
}

function addUnknown(value: Json): void {
  if (Array.isArray(value)) value.forEach(addUnknown);
  else if (isObject(value)) {
    Object.values(value).forEach(addUnknown);
    value['addedLater'] = { state: 'new', values: [1, 2, 3] };
  }
}

function exceed(value: Json, path: string, ranges: Readonly<Record<string, { readonly maximum: number }>>): Json {
  const range = ranges[path];
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      typeof item === 'number' && index % oneIn !== 0 ? item : exceed(item, path, ranges),
    );
  }
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, exceed(member, `${path}.${name}`, ranges)]),
    );
  }
  return typeof value === 'number' && range ? range.maximum + beyond : value;
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
