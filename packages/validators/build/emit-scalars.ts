import { stringWords } from './pattern-words.ts';
import type { NumberSchema, ScalarSchema, StringSchema } from './schema-model.ts';
import { type StringFormat, stringFormats } from './supported-keywords.ts';

/** Writes the tests of strings, numbers, booleans and enumerations, and the calls that say why one failed. */
export class ScalarEmitter {
  readonly #patterns = new Map<string, string>();
  readonly #formats = new Set<StringFormat>();
  readonly #lengths = new Set<string>();

  /** An expression that is true when the variable holds a valid value. */
  test(schema: ScalarSchema, variable: string): string {
    switch (schema.kind) {
      case 'boolean':
        return `typeof ${variable} === 'boolean'`;
      case 'enum':
        return schema.values.map((value) => `${variable} === ${JSON.stringify(value)}`).join(' || ');
      case 'union':
        return schema.branches.map((branch) => `(${this.test(branch, variable)})`).join(' || ');
      case 'number':
        return [`typeof ${variable} === 'number'`, ...numberTests(schema, variable)].join(' && ');
      case 'string':
        return [
          `typeof ${variable} === 'string'`,
          ...this.#stringRules(schema, variable).map((rule) => rule.test),
        ].join(' && ');
    }
  }

  /** An expression that adds the issue of an invalid value and is true when no more may be added. */
  explain(schema: ScalarSchema, variable: string, pointer: string): string {
    switch (schema.kind) {
      case 'boolean':
        return `notType(findings, ${pointer}, 'true or false')`;
      case 'enum':
        return `badChoice(findings, ${pointer}, ${variable}, ${JSON.stringify(schema.values)})`;
      case 'union':
        return this.#explainUnion(schema.branches, variable, pointer);
      case 'number': {
        const bounds = [schema.minimum, schema.maximum].map(String);
        while (bounds.at(-1) === 'undefined') bounds.pop();
        const words = schema.integer ? `'a whole number'` : `'a number'`;
        return `badNumber(${['findings', pointer, variable, words, ...bounds].join(', ')})`;
      }
      case 'string': {
        const rules = this.#stringRules(schema, variable);
        const type = `notType(findings, ${pointer}, 'text')`;
        if (rules.length === 0) return type;
        const chain = rules.map((rule, index) => {
          const add = `add(findings, ${pointer}, 'shape', '${rule.rule}', ${JSON.stringify(`must be ${rule.words}`)})`;
          return index === rules.length - 1 ? add : `!(${rule.test}) ? ${add} : `;
        });
        return `(typeof ${variable} !== 'string' ? ${type} : ${chain.join('')})`;
      }
    }
  }

  /** The imports and constants that the written tests need. */
  preamble(): string {
    const imports = [...this.#formats].map((format) => {
      const { check, module } = stringFormats[format];
      return `import { ${check} } from '../formats/${module}.js';`;
    });
    if (this.#lengths.size > 0) {
      imports.push(`import { ${[...this.#lengths].toSorted().join(', ')} } from '../formats/text-length.js';`);
    }
    const constants = [...this.#patterns].map(
      ([pattern, name]) => `const ${name} = ${String(new RegExp(pattern, 'u'))};`,
    );
    return [...imports, '', ...constants].join('\n');
  }

  #stringRules(schema: StringSchema, variable: string) {
    const rules: { readonly rule: string; readonly test: string; readonly words: string }[] = [];
    const words = stringWords(schema);
    const length = (rule: string, check: string, count: number | undefined) => {
      if (count === undefined) return;
      this.#lengths.add(check);
      rules.push({ rule, test: `${check}(${variable}, ${count})`, words });
    };
    length('minLength', 'isAtLeast', schema.minLength);
    length('maxLength', 'isAtMost', schema.maxLength);
    if (schema.pattern !== undefined) {
      const name = this.#patterns.get(schema.pattern) ?? `pattern${this.#patterns.size}`;
      this.#patterns.set(schema.pattern, name);
      rules.push({ rule: 'pattern', test: `${name}.test(${variable})`, words });
    }
    if (schema.format !== undefined) {
      this.#formats.add(schema.format);
      const { check, words: formatWords } = stringFormats[schema.format];
      rules.push({ rule: 'format', test: `${check}(${variable})`, words: formatWords });
    }
    return rules;
  }

  /** Blames the branch whose type the value has, or the type where no branch has it. */
  #explainUnion(branches: readonly ScalarSchema[], variable: string, pointer: string): string {
    const typed = branches.map((branch) => {
      const type = branch.kind === 'number' ? 'number' : branch.kind === 'string' ? 'string' : 'boolean';
      return `typeof ${variable} === '${type}' ? ${this.explain(branch, variable, pointer)} : `;
    });
    const words = branches.map(
      (branch) => ({ number: 'a number', string: 'text' })[branch.kind as string] ?? 'true or false',
    );
    return `(${typed.join('')}notType(findings, ${pointer}, '${[...new Set(words)].join(' or ')}'))`;
  }
}

function numberTests(schema: NumberSchema, variable: string): readonly string[] {
  const { integer, minimum, maximum } = schema;
  const bounded = minimum !== undefined && maximum !== undefined;
  return [
    ...(integer ? [`Number.isInteger(${variable})`] : bounded ? [] : [`Number.isFinite(${variable})`]),
    ...(minimum === undefined ? [] : [`${variable} >= ${minimum}`]),
    ...(maximum === undefined ? [] : [`${variable} <= ${maximum}`]),
  ];
}
