/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A construct of the contract that the generators do not understand. It stops the build; nothing is guessed. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  /**
   * @param place file and JSON Pointer of the construct
   * @param reason what is wrong with it
   */
  constructor(place: string, reason: string) {
    super(`${place}: ${reason}`);
  }
}

/** Keywords for readers. Other keys that start with `x-` are read by the generators that know them. */
const annotations = ['title', 'description', 'examples', 'default', 'deprecated', '$comment'];

export function isAnnotation(keyword: string): boolean {
  return annotations.includes(keyword) || (keyword.startsWith('x-') && keyword !== 'x-unit');
}

/** Gives the file that a place of the bundle was made from, with the JSON Pointer inside it. */
export type Locate = (pointer: string) => string;

/** Adds reference tokens to a JSON Pointer: https://www.rfc-editor.org/rfc/rfc6901#section-3 */
export function pointerTo(pointer: string, ...tokens: readonly string[]): string {
  return tokens.reduce((at, token) => `${at}/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`, pointer);
}

/** A value of the bundle together with its place, which errors name. */
export class Place {
  readonly value: Json;
  readonly pointer: string;
  readonly #root: JsonObject;
  readonly #locate: Locate;

  private constructor(value: Json, pointer: string, root: JsonObject, locate: Locate) {
    this.value = value;
    this.pointer = pointer;
    this.#root = root;
    this.#locate = locate;
  }

  /** The whole bundle. */
  static root(document: JsonObject, locate: Locate = (pointer) => `openapi.json#${pointer}`): Place {
    return new Place(document, '', document, locate);
  }

  fail(reason: string): never {
    throw new ContractError(this.#locate(this.pointer), reason);
  }

  object(): JsonObject {
    return this.#isObject() ? (this.value as JsonObject) : this.fail('expected an object');
  }

  /** The object here, which must have the required keys and no others but the optional ones; spaces separate them. */
  shaped(required: string, optional = ''): this {
    const keys = Object.keys(this.object());
    const known = `${required} ${optional}`.split(' ');
    const unknown = keys.find((key) => !known.includes(key));
    if (unknown !== undefined) this.child(unknown).fail(`"${unknown}" is not understood here`);
    const missing = required.split(' ').find((key) => key !== '' && !keys.includes(key));
    return missing === undefined ? this : this.fail(`"${missing}" is missing`);
  }

  child(key: string): Place {
    return this.optional(key) ?? this.fail(`"${key}" is missing`);
  }

  optional(key: string): Place | undefined {
    const value = Object.hasOwn(this.object(), key) ? this.object()[key] : undefined;
    return value === undefined ? undefined : this.#inside(value, key);
  }

  entries(): readonly (readonly [string, Place])[] {
    return Object.entries(this.object()).map(([key, value]) => [key, this.#inside(value, key)]);
  }

  items(): readonly Place[] {
    const { value } = this;
    if (!Array.isArray(value)) return this.fail('expected a list');
    return value.map((item: Json, index) => this.#inside(item, String(index)));
  }

  string(): string {
    return typeof this.value === 'string' ? this.value : this.fail('expected a string');
  }

  number(): number {
    return typeof this.value === 'number' ? this.value : this.fail('expected a number');
  }

  /** A whole number that is at least `least`. */
  count(least = 0): number {
    const value = this.number();
    return Number.isSafeInteger(value) && value >= least ? value : this.fail(`expected a whole number from ${least}`);
  }

  boolean(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('expected true or false');
  }

  oneOf<const T extends string>(allowed: readonly T[]): T {
    const found = allowed.find((item) => item === this.value);
    return found ?? this.fail(`expected one of ${allowed.join(', ')}`);
  }

  /** The component that a `$ref` here points to, whatever stands beside it; undefined where there is no `$ref`. */
  target(kind: string): readonly [name: string, component: Place] | undefined {
    const reference = this.optional('$ref')?.string();
    if (reference === undefined) return undefined;
    const prefix = `#/components/${kind}/`;
    if (!reference.startsWith(prefix)) this.fail(`expected a reference to components/${kind}`);
    const name = reference.slice(prefix.length);
    return [name, this.#components(kind).optional(name) ?? this.fail(`components/${kind}/${name} does not exist`)];
  }

  /** The name of the component that a `$ref` here, without rules beside it, points to; undefined where there is no `$ref`. */
  refName(kind: string): string | undefined {
    const [name] = this.target(kind) ?? [];
    const rule = Object.keys(this.object()).find((key) => key !== '$ref' && !isAnnotation(key));
    return name === undefined || rule === undefined ? name : this.child(rule).fail(`"${rule}" is not understood here`);
  }

  /** This place, or the component that its `$ref`, without rules beside it, points to, in the words that stand beside it. */
  resolved(kind: string): Place {
    const name = this.refName(kind);
    if (name === undefined) return this;
    const { $ref, ...words } = this.object();
    const { value, pointer } = this.#components(kind).child(name).resolved(kind);
    return new Place({ ...(value as JsonObject), ...words }, pointer, this.#root, this.#locate);
  }

  /** The value here, with every `$ref` to a component replaced by the component. */
  inlined(): Json {
    if (Array.isArray(this.value)) return this.items().map((item) => item.inlined());
    if (!this.#isObject()) return this.value;
    const reference = this.optional('$ref')?.string();
    if (reference !== undefined) return this.resolved(reference.split('/')[2] ?? '').inlined();
    return Object.fromEntries(this.entries().map(([key, member]) => [key, member.inlined()]));
  }

  #isObject(): boolean {
    return typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value);
  }

  #components(kind: string): Place {
    return Place.root(this.#root, this.#locate).child('components').child(kind);
  }

  #inside(value: Json, key: string): Place {
    return new Place(value, pointerTo(this.pointer, key), this.#root, this.#locate);
  }
}
