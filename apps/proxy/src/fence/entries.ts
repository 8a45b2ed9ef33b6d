// The texts in which replicas tell each other what is blocked. Every text is added once and never changed; a later one can end it.

/**
 * Why something is blocked: its owner has withdrawn consent; an operator has stopped it; or there were too many withdrawals to keep, so that
 * all vehicles of a brand wait until a list shows them.
 */
export type BlockKind = 'fence' | 'stop' | 'full';

export type BlockEntry =
  /** Blocks a name, until a `lift` of this tag. */
  | { readonly kind: BlockKind; readonly tag: string; readonly name: string }
  /** Ends the block with this tag. A block with another tag, which whoever lifts did not know of, stays. */
  | { readonly kind: 'lift'; readonly tag: string; readonly of: string }
  /** Exempts one vehicle from the block of a whole brand or owner. */
  | { readonly kind: 'exempt'; readonly of: string; readonly name: string };

const form =
  /^(?:(fence|stop|full) (\S{1,40}) (\S{1,400})|(lift) (\S{1,40}) (\S{1,40})|(exempt) (\S{1,40}) (\S{1,400}))$/;

/** Reads a text; `null` when it is none of these, as a later version of the program may write. */
export function parseEntry(text: string): BlockEntry | null {
  const [, kind, tag = '', name = '', lift, liftTag = '', of = '', exempt, exemptOf = '', exemptName = ''] =
    form.exec(text) ?? [];
  if (kind === 'fence' || kind === 'stop' || kind === 'full') return { kind, tag, name };
  if (lift !== undefined) return { kind: 'lift', tag: liftTag, of };
  return exempt === undefined ? null : { kind: 'exempt', of: exemptOf, name: exemptName };
}

export const blockText = (kind: BlockKind, tag: string, name: string) => `${kind} ${tag} ${name}`;
export const liftText = (tag: string, of: string) => `lift ${tag} ${of}`;
export const exemptText = (of: string, name: string) => `exempt ${of} ${name}`;

/** A tag that nobody else makes. It begins with the time, for people and for clearing up; no order follows from it. */
export function newTag(nowMs: number): string {
  const random = crypto.getRandomValues(new Uint32Array(3));
  return `${nowMs.toString(36)}-${[...random].map((part) => part.toString(36)).join('')}`;
}

/** When a tag was made, in milliseconds since 1970, by the clock of its process. */
export function timeOfTag(tag: string): number {
  return Number.parseInt(tag.split('-', 1)[0] ?? '', 36);
}
