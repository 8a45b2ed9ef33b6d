// Gives the Helm chart and the Kubernetes manifest the version of the proxy. Part of `npm run version-packages`; a test holds them to it. The
// release workflow adds the image that it has built, as REPOSITORY@DIGEST, so that the chart runs no other one.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [image] = process.argv.slice(2);
const places: (readonly [file: string, form: RegExp, text: string])[] = [
  ['chart/Chart.yaml', /^(version|appVersion): .+$/gm, `$1: ${version}`],
  ['kubernetes.yaml', /(image: vehicle-data-proxy):\S+/g, `$1:${version}`],
];
if (image !== undefined) {
  const [, repository, digest] = /^(\S+)@(sha256:[0-9a-f]{64})$/.exec(image) ?? [];
  if (digest === undefined) throw new Error('the image must be REPOSITORY@sha256:DIGEST');
  places.push(['chart/values.yaml', /^( {2}repository): .+$/m, `$1: ${repository}`]);
  places.push(['chart/values.yaml', /^( {2}digest): .+$/m, `$1: ${digest}`]);
}
for (const [name, form, text] of places) {
  const file = new URL(`../deploy/${name}`, import.meta.url);
  const before = readFileSync(file, 'utf8');
  if (before.search(form) === -1) throw new Error(`${name} has no place for it`);
  writeFileSync(file, before.replace(form, text));
}
