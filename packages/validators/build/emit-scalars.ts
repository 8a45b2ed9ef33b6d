import { stringWords } from './pattern-words.ts';
import type { EnumSchema, NumberSchema, ScalarSchema, StringSchema } from './schema-model.ts';
import { type StringFormat, stringFormats } from './supported-keywords.ts';

/** Writes the tests of strings, numbers, booleans and enumerations, and the calls that say why one failed. */
export class ScalarEmitter {
  readonly #rules = new Map<string, string>();
  readonly #choices = new Map<string, string>();
  readonly #formats = new Set<StringFormat>();
  readonly #lengths = new Set<string>();

  /** A call that checks the value. `suffix` is an expression. */
  call(schema: ScalarSchema, variable: string, suffix: string, required = false): string {
    const start = `findings, ${variable}, ${suffix}`;
    switch (schema.kind) {
      case 'boolean':
        return `truth(${start}${required ? ', true' : ''})`;
      case 'enum':
      case 'number': {
        const [check, ...rules] = this.rules(schema);
        return `${check}(${[start, required, ...rules].join(', ')})`;
      }
      case 'union':
        return this.#union(schema.branches, variable, suffix, required);
      case 'string': {
        const rules = this.#textRules(schema);
        if (rules !== undefined) return `text(${start}, ${required}, ${rules})`;
        return `text(${start}${required ? ', true' : ''})`;
      }
    }
  }

  /** The function that checks a number or a choice, and what it is told about the rules. */
  rules(schema: NumberSchema | EnumSchema): readonly string[] {
    if (schema.kind === 'enum') {
      const source = JSON.stringify(schema.values);
      const name = this.#choices.get(source) ?? `choices${this.#choices.size}`;
      this.#choices.set(source, name);
      return ['choice', name];
    }
    const { integer, minimum = -Infinity, maximum = Infinity } = schema;
    return ['number', ...[integer, minimum, maximum].map(String)];
  }

  /** The imports and constants that the written calls need. */
  preamble(): string {
    const imports = [...this.#formats].map((format) => {
      const { check, module } = stringFormats[format];
      return `import { ${check} } from '../formats/${module}.js';`;
    });
    if (this.#lengths.size > 0) {
      imports.push(`import { ${[...this.#lengths].toSorted().join(', ')} } from '../formats/text-length.js';`);
    }
    if (this.#rules.size > 0) imports.push(`import type { TextRule } from '../value-checks.js';`);
    if (this.#choices.size > 0) imports.push(`import type { Choices } from '../value-checks.js';`);
    const constants = [
      ...[...this.#choices].map(([values, name]) => `const ${name}: Choices = ${values};`),
      ...[...this.#rules].map(([rules, name]) => `const ${name}: readonly TextRule[] = [${rules}];`),
    ];
    return [...imports, ...constants].join('\n');
  }

  /** The name of the constant that holds the rules of a string, or undefined where its type is the only rule. */
  #textRules(schema: StringSchema): string | undefined {
    const { minLength, maxLength, pattern, format } = schema;
    const words = stringWords(schema);
    const rules: string[] = [];
    const rule = (name: string, says: string, test: string) =>
      rules.push(`['${name}', ${JSON.stringify(says)}, ${test}]`);
    const length = (name: string, check: string, count: number | undefined) => {
      if (count === undefined || fixedLength(pattern) === count) return;
      this.#lengths.add(check);
      rule(name, words, `(value) => ${check}(value, ${count})`);
    };
    length('minLength', 'isAtLeast', minLength);
    const known = format === undefined ? undefined : stringFormats[format];
    if (maxLength !== undefined && maxLength < (known?.longest ?? Infinity)) length('maxLength', 'isAtMost', maxLength);
    if (pattern !== undefined && pattern !== known?.pattern) {
      rule('pattern', words, `(value) => ${String(new RegExp(pattern, 'u'))}.test(value)`);
    }
    if (format !== undefined && known !== undefined) {
      this.#formats.add(format);
      rule('format', known.words, known.check);
    }
    if (rules.length === 0) return undefined;
    const source = rules.join(', ');
    const name = this.#rules.get(source) ?? `rules${this.#rules.size}`;
    this.#rules.set(source, name);
    return name;
  }

  /** Asks the branch whose type the value has, or names the types where no branch has it. */
  #union(branches: readonly ScalarSchema[], variable: string, suffix: string, required: boolean): string {
    const words = { number: 'a number', string: 'text', boolean: 'true or false' };
    const typeOf = (branch: ScalarSchema) =>
      branch.kind === 'number' ? 'number' : branch.kind === 'string' ? 'string' : 'boolean';
    const asked = branches.map(
      (branch) => `typeof ${variable} === '${typeOf(branch)}' ? ${this.call(branch, variable, suffix)} : `,
    );
    const expected = [...new Set(branches.map((branch) => words[typeOf(branch)]))].join(' or ');
    return `(${asked.join('')}refuseType(findings, ${variable}, ${suffix}, ${required}, '${expected}'))`;
  }
}

/** The length that `^[…]{n}$` leaves no choice about: the rules on length then say nothing more. Not a number for other patterns. */
function fixedLength(pattern = ''): number {
  return Number(/^\^\[[^\]\\^]+\]\{([0-9]+)\}\$$/.exec(pattern)?.[1]);
}

/** The tests of a number as one expression; `typeof` comes first, so that compilers know the rest is about numbers. */
export function numberTest({ integer, minimum, maximum }: NumberSchema, variable: string): string {
  const bounded = minimum !== undefined && maximum !== undefined;
  return [
    `typeof ${variable} === 'number'`,
    ...(integer ? [`Number.isInteger(${variable})`] : bounded ? [] : [`Number.isFinite(${variable})`]),
    ...(minimum === undefined ? [] : [`${variable} >= ${minimum}`]),
    ...(maximum === undefined ? [] : [`${variable} <= ${maximum}`]),
  ].join(' && ');
}
