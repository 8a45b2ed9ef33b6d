import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seriesContract } from '../src/contract.js';
import { putTogether, takeApart } from '../src/trip-parts.js';

const driving = seriesContract('driving');

test('a trip taken apart and put together is the trip as sent, whatever it is', () => {
  if (!driving) throw new Error('no driving series');
  const anything = fc.jsonValue({ maxDepth: 2 });
  const numbers = fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)));
  const trip = fc.record(
    {
      triggerStartTime: fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        anything,
      ),
      tripLength: fc.oneof(fc.nat(), anything),
      odometer: fc.oneof(fc.record({ value: fc.oneof(numbers, anything) }), anything),
      seatbelt: fc.record(
        { driver: fc.oneof(fc.array(fc.constantFrom('belted', null)), anything), more: anything },
        { requiredKeys: [] },
      ),
      more: anything,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(trip, anything), (value) => {
      // What arrives is parsed JSON.
      const sent: unknown = JSON.parse(JSON.stringify(value));
      expect(putTogether(driving, takeApart(driving, sent))).toEqual(sent);
    }),
    { numRuns: 500 },
  );
});
