import type { Schema } from '@vehicle-data/openapi/model';
import { ruleName } from './emit-rules.ts';

/** Writes the type, the validator and the type guard of every component schema. */
export function emitSchemas(schemas: ReadonlyMap<string, Schema>): string {
  const isChecked = [...schemas.values()].some(({ kind }) => kind === 'string');
  return [
    `import { ${[...schemas.keys()].map(ruleName).join(', ')} } from './rules.js';`,
    `import type { components } from './types.js';`,
    ...(isChecked ? [`import type { Checked } from '../validation-result.js';`] : []),
    `import { createValidator, passes, type Validator } from '../validator.js';`,
    ...[...schemas].flatMap(([name, schema]) => [
      '',
      `/** The component schema \`${name}\` of the contract. */`,
      // Text with a rule has a type of its own, which only a check gives; all else is the type of the contract.
      `export type ${name} = ${schema.kind === 'string' ? `Checked<'${name}'>` : `components['schemas']['${name}']`};`,
      `/** Checks the component schema \`${name}\` of the contract. */`,
      `export const ${name}: Validator<${name}> = /*#__PURE__*/ createValidator(${ruleName(name)});`,
      `/** Whether a value is a valid \`${name}\`. */`,
      `export function is${name}(value: unknown): value is ${name} {`,
      `  return passes(${ruleName(name)}, value);`,
      '}',
    ]),
  ].join('\n');
}
