// The samples of the docs: which there are, and which are run as their readers run them.
import { globSync } from 'node:fs';
import { operations } from '@vehicle-data/openapi';
import { repository } from './apps.ts';
import { type Sample, samplesOf } from './markdown-samples.ts';

const patterns = [
  '{README,CONTRIBUTING,SECURITY}.md',
  'openapi/{,guides/}*.md',
  'apps/docs/{.vitepress,guides}/*.md',
  'apps/{collector,proxy,proxy/runtimes,sandbox}/*.md',
  'packages/{archive,cli,client,trip-view,validators}/*.md',
];
const files = globSync(patterns, { cwd: repository, exclude: ['**/CHANGELOG.md'] }).toSorted();
/** The samples of the client's README that make no client use the one of its first sample, here of the sandbox. */
const clientOfReadme = `import { createVehicleDataClient } from '@vehicle-data/client';
const client = createVehicleDataClient({ baseUrl: 'http://127.0.0.1:8788', brand: 'brand_a', accessToken: 'demo-access-token' });
const vin = 'SANDB0XA000000001';
`;
export const samples = (await Promise.all(files.map(samplesOf))).flat().map((sample) => {
  const { place, language, source } = sample;
  const isWhole = !place.startsWith('packages/client/README.md') || source.includes('createVehicleDataClient(');
  return isWhole || language !== 'ts' ? sample : { ...sample, source: `${clientOfReadme}${source}` };
});
// In the order of the menu.
export const ofReference = (
  await Promise.all(Object.keys(operations).map((id) => samplesOf(`apps/docs/dist/operations/${id}.md`)))
).flat();

/** Blocks that are not run here, by their first line, each with the place that shows them true. */
const shownElsewhere: Readonly<Record<string, string>> = {
  'git switch main': 'npm run rehearse-release, which runs the lines of this block',
  "import { readFile } from 'node:fs/promises';": 'browser.test.ts, which opens the address that the tutorial prints',
  'export VDS_BRAND=brand_a VDS_ACCESS_TOKEN=demo-access-token': 'start.test.ts',
};
export const linesOf = ({ source }: Sample) => source.trim().split('\n');
const isShownElsewhere = (sample: Sample) => (linesOf(sample)[0] ?? '') in shownElsewhere;
/** Packages are installed by the tests of the release. */
const isInstallation = ({ source }: Sample) =>
  /^npm install (?:--save-dev |--global )?(?:@(?:vehicle-data|duckdb)\/[a-z-]+ ?)+$/.test(source.trim());
/** A block of scripts: with pnpm those of the package it is in, with npm those of the repository. Here they need only be there. */
export const script = /^(pnpm|npm)(?: run)? ([a-z:-]+)(?: +#.*)?$/;
export const isOwnScripts = (sample: Sample) => linesOf(sample).every((line) => script.test(line));

/** What the guide to the command line has set before. */
export const hasOwnSettings = ({ place }: Sample) => /guides\/cli|packages\/cli/.test(place);
/** Commands of the README and its neighbours are for the repository; all others are tried in a folder. */
export const isOfRepository = ({ language, place }: Sample) => language === 'sh' && !place.includes('/');

/** Whether a sample is all of another, or its beginning, and shows the same: guides have those of READMEs, and go on. It runs as that one. */
const isPartOf = (sample: Sample, other: Sample) =>
  other.language === sample.language &&
  other.source.startsWith(sample.source) &&
  sample.outputs.every((output, index) => output?.text === other.outputs[index]?.text) &&
  isOfRepository(other) === isOfRepository(sample) &&
  hasOwnSettings(other) === hasOwnSettings(sample);
const runsElsewhere = (sample: Sample, index: number) =>
  samples.some((other, at) => isPartOf(sample, other) && (at < index || (at > index && !isPartOf(other, sample))));

export const isRun = (sample: Sample) =>
  !isShownElsewhere(sample) &&
  !(sample.language === 'sh' && (isInstallation(sample) || isOwnScripts(sample))) &&
  !runsElsewhere(sample, samples.indexOf(sample));

export const typeScript = [...samples, ...ofReference].filter(({ language }) => language === 'ts');
export const fileOf = (sample: Sample) => `sample-${typeScript.indexOf(sample)}.ts`;
export const isWithdrawal = ({ source }: Sample) => /stopSharing\(|DELETE/.test(source);
/** The guides of the contract have about half of the samples: they are a file of tests. */
export const isOfGuides = ({ place }: Sample) => place.startsWith('openapi/guides/');
