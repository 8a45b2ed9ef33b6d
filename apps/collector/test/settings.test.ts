import { expect, test } from 'vitest';
import { readGuide, settingTables, unpadded } from '../../../packages/kit/build/settings-in-guide.ts';
import { usage } from '../src/command/usage.ts';
import { collectorSettings } from '../src/config/collector-settings.ts';
import { readGiven } from '../src/config/options.ts';

const guide = readGuide('collector-settings');

test('the settings are in their guide as the program has them', () => {
  expect(unpadded(guide), 'run: pnpm --filter @vehicle-data/collector run settings-table').toContain(
    unpadded(settingTables(collectorSettings, guide)),
  );
  expect(guide).not.toContain('(not said yet)');
});

test('the flags of one run are those that the program takes, and its help names them', () => {
  const [, ofOneRun = ''] = guide.split('## Flags of one run');
  const flags = Array.from(ofOneRun.matchAll(/^\| `--([a-z-]+)`/gm), ([, flag = '']) => flag);
  expect(flags.length).toBeGreaterThan(5);
  for (const flag of flags) {
    expect(usage).toContain(`--${flag}`);
    // With a value where it needs one; a flag that is not known is an error either way.
    expect(() => tryBoth(flag)).not.toThrow();
  }
});

function tryBoth(flag: string): void {
  try {
    readGiven([`--${flag}`], {});
  } catch {
    readGiven([`--${flag}=1`], {});
  }
}
