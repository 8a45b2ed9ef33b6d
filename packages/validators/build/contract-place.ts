/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A construct of the contract that this generator does not understand. It stops the build; nothing is guessed. */
export class GeneratorError extends Error {
  override readonly name = 'GeneratorError';
  constructor(file: string, pointer: string, reason: string) {
    super(`${file}#${pointer}: ${reason}`);
  }
}

/** Escapes one reference token of a JSON Pointer: https://www.rfc-editor.org/rfc/rfc6901#section-3 */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A value of the bundled contract together with the file and the pointer that errors name. */
export class ContractPlace {
  readonly value: Json;
  readonly pointer: string;
  readonly #file: string;

  constructor(value: Json, file: string, pointer = '') {
    this.value = value;
    this.pointer = pointer;
    this.#file = file;
  }

  fail(reason: string): never {
    throw new GeneratorError(this.#file, this.pointer, reason);
  }

  #object(): { readonly [key: string]: Json } {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.fail('expected an object');
    return value as { readonly [key: string]: Json };
  }

  keys(): readonly string[] {
    return Object.keys(this.#object());
  }

  optional(key: string): ContractPlace | undefined {
    const object = this.#object();
    if (!Object.hasOwn(object, key)) return undefined;
    return new ContractPlace(object[key] as Json, this.#file, `${this.pointer}/${escapeToken(key)}`);
  }

  child(key: string): ContractPlace {
    return this.optional(key) ?? this.fail(`"${key}" is missing`);
  }

  items(): readonly ContractPlace[] {
    const { value } = this;
    if (!Array.isArray(value)) return this.fail('expected a list');
    return value.map((item: Json, index) => new ContractPlace(item, this.#file, `${this.pointer}/${index}`));
  }

  string(): string {
    return typeof this.value === 'string' ? this.value : this.fail('expected a string');
  }

  number(): number {
    return typeof this.value === 'number' ? this.value : this.fail('expected a number');
  }

  count(): number {
    const value = this.number();
    return Number.isInteger(value) && value >= 0 ? value : this.fail('expected a whole number that is not negative');
  }
}
