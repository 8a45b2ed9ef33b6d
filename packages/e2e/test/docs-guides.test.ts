// The samples of the guides run and print what the guides show.
import { test } from 'vitest';
import { sampleDeadlineMs, startSamples } from './sample-runner.ts';
import { isOfGuides, isRun, samples } from './samples.ts';

const ofGuides = samples.filter((sample) => isRun(sample) && isOfGuides(sample));
const { expectSample } = await startSamples(
  'guides',
  ofGuides.filter(({ language }) => language === 'ts'),
);

test.for(ofGuides)(
  'a sample works and prints what it shows: $place',
  { timeout: sampleDeadlineMs + 30_000 },
  expectSample,
);
