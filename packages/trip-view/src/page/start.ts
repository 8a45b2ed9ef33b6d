// Starts a page from the configuration in it, whatever place its trips come from.
import type { PageConfig, PageSource } from '../page-html.js';
import { isZone } from '../trip/calendar.js';
import { startApp } from './app.js';
import { h } from './element.js';
import { damaged, type TripSource } from './source/source.js';

/** @param sourceOf where trips are read from; `undefined` where this script cannot */
export function startPage(sourceOf: (source: PageSource, base: string) => TripSource | undefined): void {
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
  const source = sourceOf(config.source, config.base ?? '');
  if (source) startApp(config.title, source, zone);
  else document.body.append(h('p.message', damaged));
}
