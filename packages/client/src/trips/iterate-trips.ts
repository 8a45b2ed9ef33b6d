import { basicDateOf, dayNumber } from '../calendar-days.js';
import type { Settings } from '../call.js';
import { checkArguments, checkSignal, readMembers } from '../check-arguments.js';
import { argumentError, clientError, typedError } from '../client-error.js';
import { isVehicleDataError } from '../errors.js';
import { quietly } from '../observe.js';
import type { Operation } from '../operation.js';
import type { Perform } from '../perform.js';
import type { TripIterator, TripIteratorOptions } from './trip-iterator.js';

type Trip = Readonly<Record<string, unknown>>;

/** An iterator over the trips of any range, made of one operation of the contract that is a series with a date range. */
export function iterateTrips(
  operation: Operation,
  given: unknown,
  options: TripIteratorOptions,
  perform: Perform,
  settings: Settings,
): TripIterator<Trip> {
  const [, items = '', startTime = ''] = operation.series ?? [];
  const [start = '', end = '', maxDays = 0] = operation.range ?? [];
  const { from, to, ...others } = readMembers(given) ?? {};
  const { concurrency = 2, windowDays = maxDays + 1, cursor, onProgress, signal, ...callOptions } = options;
  const refuse = (reason: string) => argumentError(operation, reason);
  checkSignal(operation, signal);

  const [first = Number.NaN, last = Number.NaN] = [from, to].map((day) =>
    dayNumber(String(day).replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$1$2$3')),
  );
  if (!(first <= last)) throw refuse('from and to must be days in this order');
  const paramsOf = (startDate: string, endDate: string) =>
    checkArguments(operation, { ...others, [start]: startDate, [end]: endDate });
  // Everything but the range is checked here, at once.
  paramsOf(basicDateOf(first), basicDateOf(first));
  if (!(windowDays >= 1 && windowDays <= maxDays + 1) || windowDays % 1)
    throw refuse(`windowDays must be 1 to ${maxDays + 1}`);
  if (!(concurrency >= 1 && concurrency <= 32)) throw refuse('concurrency must be 1 to 32');
  const [cursorDate = '', cursorTime] = cursor === undefined ? [] : String(cursor).split('/');
  const cursorDay = dayNumber(cursorDate);
  if (cursor !== undefined && (cursorDay === undefined || !cursorTime))
    throw refuse('cursor must be one of an iteration');

  const firstDay = Math.max(first, cursorDay ?? first);
  const windowsTotal = Math.max(0, Math.ceil((last - firstDay + 1) / windowDays));
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  let position = cursor;
  let isLeft = false;

  async function readWindow(startDate: string, endDate: string): Promise<readonly Trip[]> {
    try {
      const read = await perform(operation, paramsOf(startDate, endDate), {
        ...callOptions,
        signal: controller.signal,
      });
      // That it is a list has been seen to; each trip is looked at when its start time is read.
      return read.data[items] as readonly Trip[];
    } catch (error) {
      if (isVehicleDataError(error) && error.resolution === 'no-data') return [];
      throw error;
    }
  }

  /** The trips by their start times, in order: the times are of one fixed width, so text order is time order. */
  function inOrder(trips: readonly Trip[]): Map<string, Trip> {
    const byTime = trips.map((trip): [string, Trip] => {
      const time = readMembers(trip)?.[startTime];
      if (typeof time === 'string') return [time, trip];
      throw clientError({ operation, settings }, 'malformed-answer', `a trip has no ${startTime}`);
    });
    return new Map(byTime.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
  }

  async function* iterate(): AsyncGenerator<Trip, undefined> {
    const ahead: (readonly [string, string, Promise<readonly Trip[]>])[] = [];
    let day = firstDay;
    let seen = new Map<string, Trip>();
    let skipTo = cursorTime ?? '';
    const readAhead = () => {
      for (; ahead.length < concurrency && day <= last; day += windowDays) {
        const days = [basicDateOf(day), basicDateOf(Math.min(last, day + windowDays - 1))] as const;
        const trips = readWindow(...days);
        // A failure is told when its window's turn comes.
        trips.catch(() => undefined);
        ahead.push([...days, trips]);
      }
    };
    const stopIfAborted = () => {
      if (signal?.aborted) {
        throw clientError({ operation, settings }, 'aborted', 'ended by the caller', {
          cause: signal.reason,
        });
      }
    };
    signal?.addEventListener('abort', onAbort);
    try {
      stopIfAborted();
      for (let windowsRead = 1; windowsRead <= windowsTotal; windowsRead++) {
        readAhead();
        const [startDate, endDate, answer] = ahead[0] ?? [];
        const trips = inOrder((await answer) ?? []);
        ahead.shift();
        readAhead();
        const fresh = [...trips].filter(([time]) => time > skipTo && !seen.has(time));
        seen = trips;
        skipTo = '';
        const progress = { from: `${startDate}`, to: `${endDate}`, trips: fresh.length, windowsRead, windowsTotal };
        quietly(() => onProgress?.(progress));
        for (const [time, trip] of fresh) {
          stopIfAborted();
          position = `${startDate}/${time}`;
          yield trip;
        }
      }
    } catch (error) {
      // An iteration that is left while a window is on its way ends without an error.
      if (!isLeft) throw typedError(error);
    } finally {
      leave();
    }
    return undefined;
  }

  function leave(): void {
    signal?.removeEventListener('abort', onAbort);
    controller.abort();
  }

  const generator = iterate();
  return {
    get cursor() {
      return position;
    },
    next: () => generator.next(),
    return() {
      isLeft = true;
      leave();
      return generator.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
