import type { Hono } from 'hono';
import type { Clock } from '../clock.js';
import { isConsent } from '../consents.js';
import { dirtyVins, reservedVins } from '../reserved-vins.js';
import { type Controlled, objectBody, reject } from './control.js';

/** Greatest distance from 1970 that the clock may be set to: the end of the year 9999. */
const latestMs = 253_402_300_799_999;

const clockFace = (clock: Clock) => ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen });

/** The state of the sandbox: its vehicles, clock and consent, and how to start over. */
export function stateControl(app: Hono, controlled: Controlled): void {
  const { seed, brands, fleet, vehicleOf, clock, faults, consents, tokens, save, reset } = controlled;
  app.get('/state', (c) =>
    c.json({
      seed,
      brands,
      clock: clockFace(clock),
      consents: consents.entries(),
      tokens: tokens.counts(),
      faults: faults.list(),
    }),
  );

  app.post('/reset', async (c) => {
    await reset();
    return c.json({ reset: true });
  });

  app.get('/vehicles', (c) => c.json({ vehicles: Array.from(fleet, vehicleOf), reservedVins, dirtyVins }));

  app.get('/clock', (c) => c.json(clockFace(clock)));

  app.post('/clock', async (c) => {
    const body = await objectBody(c);
    const { now, advanceSeconds = 0, frozen } = body;
    const ms = now === undefined ? clock.now() : momentOf(now);
    const valid =
      Object.keys(body).length > 0 &&
      Object.keys(body).every((name) => ['now', 'advanceSeconds', 'frozen'].includes(name)) &&
      typeof advanceSeconds === 'number' &&
      Math.abs(ms + advanceSeconds * 1000) <= latestMs &&
      (frozen === undefined || typeof frozen === 'boolean');
    if (!valid) {
      const reason = 'send now (ISO 8601), advanceSeconds (number) or frozen (true or false), any of them';
      return reject(c, controlled, 400, reason);
    }
    if (frozen === true) clock.freeze();
    if (now !== undefined) clock.set(ms);
    if (advanceSeconds !== 0) clock.advance(advanceSeconds * 1000);
    if (frozen === false) clock.run();
    return c.json(clockFace(clock));
  });

  app.delete('/clock', (c) => {
    clock.reset();
    return c.json(clockFace(clock));
  });

  app.get('/consent', (c) => c.json({ consents: consents.entries() }));

  app.post('/consent', async (c) => {
    const body = await objectBody(c);
    const { vin, owner, brand, consent } = body;
    const known = ['vin', 'owner', 'brand', 'consent'];
    if (!isConsent(consent) || Object.keys(body).some((name) => !known.includes(name))) {
      const reason = 'send consent (shared, withdrawn or never), and vin, owner or brand to narrow it';
      return reject(c, controlled, 400, reason);
    }
    const one = typeof vin === 'string' ? fleet.find(vin) : undefined;
    const candidates = vin === undefined ? fleet : one ? [one] : [];
    const changed: string[] = [];
    for (const vehicle of candidates) {
      if (owner !== undefined && vehicle.owner !== owner) continue;
      if (brand !== undefined && brands[vehicle.brandPosition] !== brand) continue;
      changed.push(vehicle.vin);
    }
    if (changed.length === 0) return reject(c, controlled, 404, 'no vehicle of the fleet fits');
    for (const chosen of changed) consents.set(chosen, consent);
    await save();
    return c.json({ consents: Object.fromEntries(changed.map((chosen) => [chosen, consent])) });
  });
}

/** Milliseconds since 1970 of a time in ISO 8601, or not a number. */
function momentOf(text: unknown): number {
  return typeof text === 'string' && /^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(text) ? Date.parse(text) : Number.NaN;
}
