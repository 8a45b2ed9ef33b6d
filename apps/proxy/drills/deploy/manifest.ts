import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { deployFolder, run } from './engine.ts';

/** Carries the schemas of Kubernetes; installed here only, because it is as big as the rest of the tools together. */
const schemas = 'kubernetes-models@5.1.0';

interface Model {
  validate(): void;
}

/** Holds every document of the manifest against the schema of its kind. It does not find members that no schema has. */
export async function manifest(holds: (sentence: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-schemas-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const installed = await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, schemas]);
  if (!installed.ok) throw new Error(`${schemas} cannot be installed:\n${installed.end}`);
  for (const document of parseAllDocuments(readFileSync(join(deployFolder, 'kubernetes.yaml'), 'utf8'))) {
    const { apiVersion, kind } = document.toJS() as { readonly apiVersion: string; readonly kind: string };
    const file = join(folder, 'node_modules/kubernetes-models', apiVersion, 'index.js');
    const models = (await import(pathToFileURL(file).href)) as Readonly<Record<string, new (value: unknown) => Model>>;
    const Model = models[kind];
    if (Model === undefined) throw new Error(`Kubernetes has no ${kind} in ${apiVersion}`);
    new Model(document.toJS()).validate();
  }
  rmSync(folder, { recursive: true });
  holds('every document of the Kubernetes manifest is valid by the schema of its kind');
}
