import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DateRangeSpec } from '@vehicle-data/openapi';
import { withCloneTabs } from '../installation.ts';
import { firstSentence, type Page } from '../markdown.ts';
import { guideName, withSiteLinks } from '../site-links.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string) => readFileSync(repository + file, 'utf8');

/** Guides whose tables or drawings need the room of the list of sections. */
const wideGuides = new Set(['collector-settings', 'proxy-settings', 'sandbox', 'sdk-errors', 'trip-view', 'vss']);

/** The page of a guide. `blocks` replace its lines `<!-- generated: NAME -->`, by name. */
export function guidePage(file: string, blocks: Readonly<Record<string, string>>): Page {
  const [, title, text] = /^# (.+)\n([\s\S]*)$/.exec(read(file)) ?? [];
  if (title === undefined || text === undefined) throw new Error(`${file} does not start with a title`);
  const [, keywords = ''] = /^<!-- keywords: (.+) -->$/m.exec(text) ?? [];
  const filled = withCloneTabs(withSiteLinks(file, text))
    .replaceAll(/^<!-- generated: ([a-z-]+) -->$/gm, (_, block: string) => {
      const content = blocks[block];
      if (content === undefined) throw new Error(`${file}: there is no generated block "${block}"`);
      return content;
    })
    .replaceAll(/^<!-- .+ -->\n/gm, '')
    .replaceAll(
      /^(```[a-z]+) continues\n([\s\S]*?^```)$/gm,
      '<div class="continues">\n\n*Continues the code above.*\n\n$1\n$2\n\n</div>',
    )
    .replaceAll(/^```\n\n((?:<\/div>\n\n)?```(?:text|json))$/gm, '```\n\nOutput:\n\n$1')
    .trim();
  return {
    path: `guides/${guideName(file)}`,
    title,
    description: firstSentence(filled.replaceAll(/<[^>]+>/g, '')),
    text: filled,
    keywords: keywords.split(', ').filter(Boolean),
    wide: wideGuides.has(guideName(file)),
  };
}

/** How long a range of days may be. The number of days is the contract's. */
export const dateRangeRules = ({ start, end, maxDays }: DateRangeSpec) =>
  `- \`${end}\` is at most ${maxDays} days after \`${start}\`, and not before it. Only calendar days count; clock changes do not matter.
- Both days belong to the range, so a request covers **up to ${maxDays + 1} calendar days**.`;

/** The picture of a range, with the days of the longest one that starts on March 2. */
export function dateRangePicture({ maxDays }: DateRangeSpec): string {
  const march = (day: number) =>
    new Date(Date.UTC(2026, 2, day)).toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return read('apps/docs/pictures/date-window.svg')
    .replace('March LAST', march(maxDays + 2))
    .replace('March AFTER', march(maxDays + 3))
    .replace('DAYS', `${maxDays + 1}`);
}
