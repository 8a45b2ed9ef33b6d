import type { CalendarDay } from '../trip/calendar.js';
import { counted, durationInWords } from '../trip/words.js';
import { noTrip, writeAddress } from './address.js';
import { h, table, twin } from './element.js';

/** A day of the strip; days that were not read yet say so. */
export interface StripDay extends CalendarDay {
  readonly read: boolean;
}

/** A day in words: `Mon 9 Mar 2026`. */
export function dayInWords(day: string): string {
  // As it is written in `Mon, 09 Mar 2026 00:00:00 GMT`.
  return new Date(day).toUTCString().slice(0, 16).replace(/, 0?/, ' ');
}

function dayTitle({ day, trips, durationMs, provisional, read }: StripDay): string {
  if (!read) return `${dayInWords(day)}: not read yet`;
  if (trips === 0) return `${dayInWords(day)}: no trips`;
  const driven = durationMs > 0 ? `, ${durationInWords(durationMs)}` : '';
  return `${dayInWords(day)}: ${counted(trips, 'trip')}${driven}${provisional ? ', provisional' : ''}`;
}

/** The strip of days: a bar per day, as high as its trips are long. One day at a time can be reached by Tab, others by arrows. */
export function calendarStrip(
  days: readonly StripDay[],
  selected: string,
  earlier: (() => void) | undefined,
): HTMLElement {
  const longest = Math.max(1, ...days.map(({ durationMs }) => durationMs));
  const buttons = days.map((day, index) => {
    const { trips, durationMs, provisional, read } = day;
    const [weekday = '', date, month = ''] = dayInWords(day.day).split(' ');
    const isSelected = day.day === selected;
    const height = trips === 0 ? 0 : Math.max(6, Math.sqrt(durationMs / longest) * 100);
    return h(
      `button.day${provisional ? '.provisional' : ''}${read ? '' : '.unread'}`,
      {
        id: day.day,
        title: dayTitle(day),
        'aria-current': isSelected && 'date',
        tabindex: isSelected ? 0 : -1,
        onclick: () => writeAddress({ ...noTrip, day: day.day }),
      },
      h(
        'span',
        { 'aria-hidden': 'true' },
        h('span.month', (index === 0 || date === '1') && month),
        h('span.bar', { '--part': `${height}%` }),
        h('span.date', date),
        h('span.weekday', weekday.slice(0, 2)),
      ),
    );
  });
  const strip = h('div.days', { role: 'group', 'aria-label': 'Days' }, ...buttons);
  if (!days.some(({ day }) => day === selected)) buttons.at(-1)?.setAttribute('tabindex', '0');
  strip.addEventListener('keydown', (event) => {
    const at = buttons.findIndex((button) => button.matches(':focus'));
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageUp: at - 7,
      PageDown: at + 7,
      Home: 0,
      End: buttons.length - 1,
    };
    const target = moves[event.key];
    if (at < 0 || target === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, target))]?.focus();
  });
  const rows = () =>
    days.map(({ day, trips, durationMs, read, provisional }) => [
      dayInWords(day),
      read ? String(trips) : 'not read yet',
      read && durationMs > 0 ? durationInWords(durationMs) : '–',
      provisional ? 'yes' : 'no',
    ]);
  return h(
    'section.calendar',
    { 'aria-label': 'Calendar' },
    h('div.strip', earlier && h('button.earlier', { id: 'earlier', onclick: earlier }, 'Earlier'), strip),
    twin('Days as a table', () => table('Trips by day', ['Day', 'Trips', 'Length of trips', 'Provisional'], rows())),
  );
}
