import type { Hono } from 'hono';
import type { Clock } from '../clock.js';
import type { Controlled } from './control.js';
import { objectBody, refusal } from './control-body.js';

/** A clock as JSON. */
export function clockFace(clock: Clock): { readonly now: string; readonly frozen: boolean } {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen };
}

/** Greatest distance from 1970 that a clock may be set to: the end of the year 9999. */
const latestMs = 253_402_300_799_999;

/** Reading, setting, moving and freezing the clock. */
export function clockControl(app: Hono, { clock }: Controlled): void {
  app.get('/clock', (c) => c.json(clockFace(clock)));
  app.post('/clock', async (c) => {
    const body = await objectBody(c);
    const { now, advanceSeconds, frozen } = body ?? {};
    const ms = now === undefined ? clock.now() : momentOf(now);
    const step = advanceSeconds === undefined ? 0 : advanceSeconds;
    const valid =
      body !== undefined &&
      Object.keys(body).every((name) => ['now', 'advanceSeconds', 'frozen'].includes(name)) &&
      Number.isFinite(ms) &&
      typeof step === 'number' &&
      Math.abs(ms + step * 1000) <= latestMs &&
      (frozen === undefined || typeof frozen === 'boolean');
    if (!valid) {
      return refusal(
        c,
        { clock },
        400,
        'send now (ISO 8601), advanceSeconds (number) or frozen (true or false), any of them',
      );
    }
    if (frozen === true) clock.freeze();
    if (now !== undefined) clock.set(ms);
    if (step !== 0) clock.advance(step * 1000);
    if (frozen === false) clock.run();
    return c.json(clockFace(clock));
  });
  app.delete('/clock', (c) => {
    clock.reset();
    return c.json(clockFace(clock));
  });
}

/** Milliseconds since 1970 of a time in ISO 8601, or not a number. */
function momentOf(text: unknown): number {
  return typeof text === 'string' && /^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(text) ? Date.parse(text) : Number.NaN;
}
