/** Days of the calendar as numbers, both included. */
export interface DayWindow {
  readonly first: number;
  readonly last: number;
}

/** Divides days into windows. */
export function divideDays(first: number, last: number, windowDays: number): DayWindow[] {
  const windows: DayWindow[] = [];
  for (let day = first; day <= last; day += windowDays) {
    windows.push({ first: day, last: Math.min(last, day + windowDays - 1) });
  }
  return windows;
}

/** What came of reading one window, without throwing. */
export type WindowResult<Window, Trip> =
  | { readonly window: Window; readonly trips: readonly Trip[] }
  | { readonly window: Window; readonly error: unknown };

/**
 * Reads windows in order, `concurrency` at a time, and none further ahead. A failed window is a result, so that the consumer
 * decides whether the others continue.
 */
export async function* readInOrder<Window, Trip>(
  windows: Iterable<Window>,
  concurrency: number,
  read: (window: Window) => Promise<readonly Trip[] | undefined>,
): AsyncGenerator<WindowResult<Window, Trip>, undefined> {
  const ahead: Promise<WindowResult<Window, Trip>>[] = [];
  const upcoming = windows[Symbol.iterator]();
  const readAhead = () => {
    while (ahead.length < concurrency) {
      const { done, value: window } = upcoming.next();
      if (done) return;
      ahead.push(
        read(window).then(
          (trips = []) => ({ window, trips }),
          (error: unknown) => ({ window, error }),
        ),
      );
    }
  };
  for (readAhead(); ahead.length > 0; ) {
    const [result] = ahead;
    if (!result) return undefined;
    const settled = await result;
    ahead.shift();
    readAhead();
    yield settled;
  }
  return undefined;
}
