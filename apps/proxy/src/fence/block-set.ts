import { type BlockEntry, type BlockKind, blockText, exemptText, parseEntry, timeOfTag } from './entries.js';

/** A block that holds. */
interface Block {
  readonly tag: string;
  readonly kind: BlockKind;
  readonly name: string;
  /** When this process came to know of it: the count of everything that it came to know of. */
  readonly seq: number;
  /** Vehicles that it does not block any more. */
  exempt: Set<string> | null;
  /** Another block of the same name. */
  next: Block | null;
}

/** Time for which a lift is kept, so that every replica sees it, in milliseconds: one hour. One that comes later blocks again. */
const liftKeptMs = 3_600_000;
/** Lifts that are kept; beyond that, the oldest go first. */
const maxLifts = 100_000;

/**
 * What is blocked, as this process knows it. Texts can come in any order and more than once: two replicas that have read the same ones block
 * the same. A lift ends exactly the blocks that it names, so one from before a withdrawal never ends the block of that withdrawal.
 */
export class BlockSet {
  readonly #byName = new Map<string, Block>();
  readonly #byTag = new Map<string, Block>();
  /** Texts of lifts, by the tag that each has ended, in the order of their coming. */
  readonly #lifts = new Map<string, string>();
  /** Exemptions from blocks that are not known yet. */
  readonly #early = new Map<string, Set<string>>();
  /** Brands with a block by a withdrawal, with the latest `seq` of one. */
  readonly #latest = new Map<string, number>();
  #exemptions = 0;
  #stops = 0;
  #owners = 0;
  #dead: string[] = [];
  /** Counts everything that the process came to know of. */
  seq = 0;

  /** How many blocks hold. */
  get blocks(): number {
    return this.#byTag.size;
  }

  /** How many vehicles are exempted from blocks of a whole brand or owner. */
  get exemptions(): number {
    return this.#exemptions;
  }

  get stops(): number {
    return this.#stops;
  }

  /** Whether some owner, known by a token, has withdrawn all. */
  get hasOwners(): boolean {
    return this.#owners > 0;
  }

  /** Takes a text. Returns whether it blocks something that was not blocked by it before. */
  apply(text: string): boolean {
    const entry = parseEntry(text);
    if (entry === null) return false;
    if (entry.kind === 'lift') this.#lift(entry.of, text);
    else if (entry.kind === 'exempt') this.#exempt(entry.of, entry.name);
    else return this.#block(entry);
    return false;
  }

  #block({ kind, tag, name }: BlockEntry & { kind: BlockKind }): boolean {
    if (this.#byTag.has(tag)) return false;
    if (this.#lifts.has(tag)) {
      this.#dead.push(blockText(kind, tag, name));
      return false;
    }
    const early = this.#early.get(tag) ?? null;
    this.#early.delete(tag);
    const block = { tag, kind, name, seq: ++this.seq, exempt: early, next: this.#byName.get(name) ?? null };
    this.#byName.set(name, block);
    this.#byTag.set(tag, block);
    if (kind === 'stop') this.#stops++;
    else this.#latest.set(brandOf(name), this.seq);
    if (name.startsWith('o/')) this.#owners++;
    return true;
  }

  #lift(of: string, text: string): void {
    if (this.#lifts.has(of)) return;
    this.#lifts.set(of, text);
    const [oldest] = this.#lifts.values();
    if (this.#lifts.size > maxLifts && oldest !== undefined) this.#forget(oldest);
    const early = this.#early.get(of);
    this.#early.delete(of);
    this.#exemptions -= early?.size ?? 0;
    for (const name of early ?? []) this.#dead.push(exemptText(of, name));
    const block = this.#byTag.get(of);
    if (block === undefined) return;
    this.#byTag.delete(of);
    this.#removeFromName(block);
    if (block.kind === 'stop') this.#stops--;
    if (block.name.startsWith('o/')) this.#owners--;
    this.#exemptions -= block.exempt?.size ?? 0;
    this.#dead.push(...textsOf(block));
  }

  #removeFromName(block: Block): void {
    const first = this.#byName.get(block.name);
    if (first === block) {
      if (block.next === null) this.#byName.delete(block.name);
      else this.#byName.set(block.name, block.next);
      return;
    }
    for (let each = first; each !== undefined && each.next !== null; each = each.next)
      if (each.next === block) {
        each.next = block.next;
        return;
      }
  }

  #exempt(of: string, name: string): void {
    const block = this.#byTag.get(of);
    if (block === undefined && this.#lifts.has(of)) {
      this.#dead.push(exemptText(of, name));
      return;
    }
    const names = (block === undefined ? this.#early.get(of) : block.exempt) ?? new Set();
    if (names.has(name)) return;
    names.add(name);
    this.#exemptions++;
    if (block === undefined) this.#early.set(of, names);
    else block.exempt = names;
  }

  /** What blocks a vehicle: by its own name, or by one that stands for more vehicles. A stop comes first. */
  blocking(names: readonly string[], vehicle: string): BlockKind | null {
    let found: BlockKind | null = null;
    for (const name of names)
      for (let block = this.#byName.get(name) ?? null; block !== null; block = block.next) {
        if (block.exempt?.has(vehicle)) continue;
        if (block.kind === 'stop') return 'stop';
        if (found !== 'fence') found = block.kind;
      }
    return found;
  }

  /** Whether a withdrawal blocks a vehicle that this process came to know of after this `seq`. */
  isWithdrawn(names: readonly string[], vehicle: string, after: number): boolean {
    for (const name of names)
      for (let block = this.#byName.get(name) ?? null; block !== null; block = block.next)
        if (block.kind !== 'stop' && block.seq > after && !block.exempt?.has(vehicle)) return true;
    return false;
  }

  /** Blocks by withdrawals of a name that were known at this `seq`, without those that exempt the vehicle. */
  known(name: string, vehicle: string, seq: number): readonly Pick<Block, 'tag' | 'name'>[] {
    const found: Block[] = [];
    for (let block = this.#byName.get(name) ?? null; block !== null; block = block.next)
      if (block.kind !== 'stop' && block.seq <= seq && !block.exempt?.has(vehicle)) found.push(block);
    return found;
  }

  /** Whether this process ever knew of a withdrawal for a brand, after this `seq`. */
  hasWithdrawals(brand: string, after = 0): boolean {
    return (this.#latest.get(brand) ?? 0) > after;
  }

  /** The tags that block a name, of these kinds, made before this time. */
  tags(kinds: readonly BlockKind[], name: string | null, beforeMs: number): readonly string[] {
    const all = [...this.#byTag.values()];
    return all
      .filter((block) => kinds.includes(block.kind) && (name === null || block.name === name))
      .map(({ tag }) => tag)
      .filter((tag) => timeOfTag(tag) < beforeMs);
  }

  /** Everything that an operator has stopped. */
  stopped(): readonly { readonly name: string; readonly tag: string }[] {
    return [...this.#byTag.values()].filter(({ kind }) => kind === 'stop').map(({ name, tag }) => ({ name, tag }));
  }

  /** Every text that a store should have. */
  *texts(): Iterable<string> {
    for (const block of this.#byTag.values()) yield* textsOf(block);
    for (const [tag, names] of this.#early) for (const name of names) yield exemptText(tag, name);
    yield* this.#lifts.values();
  }

  /** Texts that a store no longer needs, each given once. */
  takeDead(nowMs: number): readonly string[] {
    for (const text of this.#lifts.values()) {
      const [, tag = ''] = text.split(' ');
      if (nowMs - timeOfTag(tag) < liftKeptMs) break;
      this.#forget(text);
    }
    const dead = this.#dead;
    this.#dead = [];
    return dead;
  }

  #forget(lift: string): void {
    const [, , of = ''] = lift.split(' ');
    this.#lifts.delete(of);
    this.#dead.push(lift);
  }
}

function* textsOf({ kind, tag, name, exempt }: Block): Iterable<string> {
  yield blockText(kind, tag, name);
  for (const vehicle of exempt ?? []) yield exemptText(tag, vehicle);
}

/** The brand in a name. */
function brandOf(name: string): string {
  return decodeURIComponent(name.split('/')[1] ?? '');
}
