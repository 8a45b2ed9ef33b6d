// Writes the package version into the contract's info.version, after changesets has raised it.
import { readFile, writeFile } from 'node:fs/promises';

const contract = new URL('../openapi.yaml', import.meta.url);
const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const text = await readFile(contract, 'utf8');
const line = /^( {2}version: ).*$/m;
if (!line.test(text)) throw new Error('openapi.yaml has no info.version line');
await writeFile(contract, text.replace(line, `$1${manifest.version}`));
