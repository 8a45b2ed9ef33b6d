// typia as a peer. It checks TypeScript types, so the schema is written as a type, and its generator, which needs a compiler of the
// 5.x line, compiles the check ahead of time. Both are installed into bench/.cache when the bench first runs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { JsonSchema, Verdict } from './peers.ts';

const packages = ['typia@9.7.2', 'typescript@5.8.3'];
const folder = fileURLToPath(new URL('.cache/typia/', import.meta.url));

function install(): void {
  if (existsSync(`${folder}node_modules/typia`)) return;
  mkdirSync(`${folder}input`, { recursive: true });
  writeFileSync(`${folder}package.json`, '{ "private": true, "type": "module" }\n');
  console.error('installing typia into bench/.cache …');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--save-exact', ...packages], {
    cwd: folder,
    stdio: 'inherit',
    timeout: 300_000,
  });
}

/** A JSON Schema as a type with the tags of typia. */
function typeOf(schema: JsonSchema): string {
  if (schema.enum) return `(${schema.enum.map((value) => JSON.stringify(value)).join(' | ')})`;
  const tag = (name: string, value: unknown) =>
    value === undefined ? '' : ` & tags.${name}<${JSON.stringify(value)}>`;
  const range = tag('Minimum', schema.minimum) + tag('Maximum', schema.maximum);
  switch (schema.type) {
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
        const optional = schema.required?.includes(name) ? '' : '?';
        return `${JSON.stringify(name)}${optional}: ${typeOf(member)};`;
      });
      return `{ ${members.join(' ')} }`;
    }
    case 'array':
      return `Array<${schema.items ? typeOf(schema.items) : 'unknown'}>`;
    case 'integer':
      return `(number & tags.Type<"int64">${range})`;
    case 'number':
    case 'boolean':
      return `(${schema.type}${range})`;
    default:
      return `(string${tag('Pattern', schema.pattern)}${tag('Format', schema.format)})`;
  }
}

export async function typia(schema: JsonSchema): Promise<Verdict> {
  install();
  const source = `import typia, { tags } from 'typia';\nexport const check = typia.createIs<${typeOf(schema)}>();\n`;
  writeFileSync(`${folder}input/check.ts`, source);
  const settings = {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
  };
  writeFileSync(
    `${folder}tsconfig.json`,
    JSON.stringify({ compilerOptions: settings, include: ['input', 'generated'] }),
  );
  const wizard = ['generate', '--input', 'input', '--output', 'generated', '--project', 'tsconfig.json'];
  execFileSync(process.execPath, ['node_modules/typia/lib/executable/typia.js', ...wizard], {
    cwd: folder,
    timeout: 120_000,
  });
  const file = `${folder}check-${performance.now()}.mjs`;
  await build({
    entryPoints: [`${folder}generated/check.ts`],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  });
  return ((await import(pathToFileURL(file).href)) as { readonly check: Verdict }).check;
}
