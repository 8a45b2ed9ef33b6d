import { unpackRecords } from '../packed-records.js';
import type { PageConfig, PageSource } from '../page-html.js';
import { isZone } from '../trip/calendar.js';
import type { TripRecord } from '../trip/trip.js';
import { startApp } from './app.js';
import { h } from './element.js';
import { apiSource } from './source/api.js';
import { archiveSource } from './source/archive.js';
import { SourceError, type TripSource } from './source/source.js';

const damaged = 'The data inside this page are damaged. Make the page again.';

/** Starts the page from the configuration in it. */
function main(): void {
  performance.mark('begin');
  const text = document.getElementById('config')?.textContent ?? '';
  let config: PageConfig;
  try {
    config = JSON.parse(text);
  } catch {
    document.body.append(h('p.message', damaged));
    return;
  }
  const ofReader = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = [config.zone, ofReader].find((name) => name !== undefined && isZone(name)) ?? 'UTC';
  startApp(config.title, sourceOf(config), zone);
}

function sourceOf({ source, base = '' }: PageConfig): TripSource {
  if (source.kind === 'api') return apiSource(base, source);
  return source.kind === 'archive' ? archiveSource(base, source) : embeddedSource(source);
}

/** Trips that are part of the page. */
function embeddedSource(source: Extract<PageSource, { kind: 'embedded' }>): TripSource {
  let readable: readonly TripRecord[] = [];
  return {
    brands: [],
    now: Date.now,
    vehicles: async () => {
      const records: unknown =
        'packed' in source ? await unpackRecords(source.packed).catch(() => undefined) : source.records;
      if (!Array.isArray(records)) throw new SourceError(damaged);
      readable = records.filter((record) => typeof record === 'object' && record !== null);
      const names = [...new Set(readable.map(({ vehicle }) => String(vehicle)))];
      return { vehicles: names.map((name) => ({ key: name, name, detail: '' })), problems: [] };
    },
    read: async ({ key }) => {
      const own = readable.filter(({ vehicle }) => String(vehicle) === key);
      return { first: '0000-01-01', last: '9999-12-31', records: own, problems: [] };
    },
  };
}

main();
