import type { Hono } from 'hono';
import { fleetVehicles } from '../fleet/vehicles.js';
import { isConsent } from '../state.js';
import type { Controlled } from './control.js';
import { objectBody, refusal } from './control-body.js';

/** Reading and setting what owners have decided, without the owner's page. */
export function consentControl(app: Hono, controlled: Controlled): void {
  const { brands, consents, save } = controlled;
  app.get('/consent', (c) => c.json({ consents: consents.entries() }));
  app.post('/consent', async (c) => {
    const body = await objectBody(c);
    const { vin, owner, brand, consent } = body ?? {};
    const known = ['vin', 'owner', 'brand', 'consent'];
    if (!isConsent(consent) || Object.keys(body ?? {}).some((name) => !known.includes(name))) {
      return refusal(
        c,
        controlled,
        400,
        'send consent (shared, withdrawn or never), and vin, owner or brand to narrow it',
      );
    }
    const chosen = fleetVehicles.filter(
      (vehicle) =>
        (vin === undefined || vehicle.vin === vin) &&
        (owner === undefined || vehicle.owner === owner) &&
        (brand === undefined || brands[vehicle.brandPosition] === brand),
    );
    if (chosen.length === 0) return refusal(c, controlled, 404, 'no vehicle of the fleet fits');
    for (const vehicle of chosen) consents.set(vehicle.vin, consent);
    await save();
    return c.json({ consents: Object.fromEntries(chosen.map((vehicle) => [vehicle.vin, consent])) });
  });
}
