import type { Hono } from 'hono';
import { fleetVehicles } from '../fleet/vehicles.js';
import { reservedVins } from '../reserved-vins.js';
import { clockFace } from './clock-control.js';
import type { Controlled } from './control.js';

/** Looking at the sandbox and starting it over. */
export function stateControl(app: Hono, controlled: Controlled): void {
  const { seed, brands, clock, faults, consents, tokens, reset } = controlled;
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
  app.get('/vehicles', (c) =>
    c.json({
      vehicles: fleetVehicles.map(({ vin, brandPosition, type, owner, zone, habit }) => ({
        vin,
        brand: brands[brandPosition],
        type,
        owner,
        consent: consents.of(vin),
        homeZone: zone,
        habit,
      })),
      reservedVins,
    }),
  );
}
