// Prints a digest of the verdicts on many ranges and times. Run by dates.test.ts under other time zones.
import { createHash } from 'node:crypto';
import { validateRequest, validateResponse } from '@vehicle-data/validators';

/** The verdicts on a fixed set of ranges and times, as one digest. */
export function verdictDigest(): string {
  const hash = createHash('sha256');
  const headers = { Brand: 'brand_a' };
  for (let day = 0; day < 800; day++) {
    const start = basicDate(Date.UTC(2022, 11, 1) + day * 86_400_000);
    for (const length of [-1, 0, 1, 6, 7, 8]) {
      const end = basicDate(Date.UTC(2022, 11, 1) + (day + length) * 86_400_000);
      const query = `startDate=${start}&endDate=${end}`;
      hash.update(
        JSON.stringify(validateRequest('getDrivingData', { path: { vin: 'SANDB0XA000000001' }, query, headers })),
      );
    }
    const timestamp = new Date(Date.UTC(2022, 11, 1) + day * 86_400_123).toISOString();
    hash.update(JSON.stringify(validateResponse('stopDataSharing', 200, { data: {}, meta: { timestamp } })));
  }
  return hash.digest('hex');
}

function basicDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
}

if (process.argv.includes('--print')) console.log(verdictDigest());
