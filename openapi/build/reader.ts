import { ContractError, type Json, type JsonObject, pointerTo } from './bundle.ts';

/** What the reader of one kind of node understands: key → required or optional. Anything else stops the build. */
type Shape = Readonly<Record<string, 'required' | 'optional'>>;

/** A place in the bundle: its value together with the pointer that errors name. */
export class Place {
  readonly value: Json;
  readonly pointer: string;
  readonly #root: JsonObject;

  constructor(value: Json, pointer: string, root: JsonObject) {
    this.value = value;
    this.pointer = pointer;
    this.#root = root;
  }

  static root(document: JsonObject): Place {
    return new Place(document, '', document);
  }

  fail(reason: string): never {
    throw new ContractError(this.pointer, reason);
  }

  object(): JsonObject {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('expected an object');
    return value as JsonObject;
  }

  /** The object here, after a check that it has the keys of the shape and no others. */
  shaped(shape: Shape): this {
    const object = this.object();
    for (const key of Object.keys(object)) {
      if (!Object.hasOwn(shape, key)) this.child(key).fail(`"${key}" is not understood here by the generator`);
    }
    for (const [key, presence] of Object.entries(shape)) {
      if (presence === 'required' && !Object.hasOwn(object, key)) this.fail(`"${key}" is missing`);
    }
    return this;
  }

  child(key: string): Place {
    const object = this.object();
    const pointer = pointerTo(this.pointer, key);
    if (!Object.hasOwn(object, key)) throw new ContractError(pointer, 'is missing');
    return new Place(object[key] as Json, pointer, this.#root);
  }

  optional(key: string): Place | undefined {
    return Object.hasOwn(this.object(), key) ? this.child(key) : undefined;
  }

  entries(): readonly (readonly [string, Place])[] {
    return Object.keys(this.object()).map((key) => [key, this.child(key)] as const);
  }

  items(): readonly Place[] {
    const { value } = this;
    if (!Array.isArray(value)) return this.fail('expected a list');
    return value.map((item: Json, index) => new Place(item, pointerTo(this.pointer, String(index)), this.#root));
  }

  string(): string {
    return typeof this.value === 'string' ? this.value : this.fail('expected a string');
  }

  number(): number {
    return typeof this.value === 'number' ? this.value : this.fail('expected a number');
  }

  boolean(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('expected true or false');
  }

  oneOf<const T extends string>(allowed: readonly T[]): T {
    const found = allowed.find((item) => item === this.value);
    return found ?? this.fail(`expected one of ${allowed.join(', ')}`);
  }

  /** The component name that a `$ref` here points to, or undefined where there is no `$ref`. */
  refName(kind: string): string | undefined {
    const ref = this.optional('$ref')?.string();
    if (ref === undefined) return undefined;
    const prefix = `#/components/${kind}/`;
    if (!ref.startsWith(prefix)) this.fail(`a reference into components/${kind} is expected here`);
    return ref.slice(prefix.length);
  }

  /** This place, or the component that its `$ref` points to. */
  resolved(kind: string): Place {
    const name = this.refName(kind);
    return name === undefined ? this : Place.root(this.#root).child('components').child(kind).child(name);
  }
}
