import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { EventError, eventExamples, signEvent, verifyEvent } from '../src/events/index.js';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const event = eventExamples['vehicle.consent_withdrawn'];
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof EventError ? error.code : error),
  );

test('an event that is signed here is accepted by standardwebhooks, and the other way round', async () => {
  const signed = await signEvent(event, secret);
  expect(new Webhook(secret).verify(signed.body, { ...signed.headers })).toEqual(event);
  const body = JSON.stringify(event);
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(), body),
  };
  expect(await verifyEvent({ headers, body }, secret)).toEqual({ id: 'msg_1', ...event });
  const request = new Request('http://127.0.0.1/hook', { method: 'POST', headers, body });
  expect(await verifyEvent(request, secret)).toEqual({ id: 'msg_1', ...event });
});

test('every change of a single byte of body, identifier, time or signature is rejected', async () => {
  const { headers, body } = await signEvent(event, secret);
  const fields = { body, ...headers };
  for (const name of ['body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
    const text = fields[name];
    for (let at = 0; at < text.length; at++) {
      for (const bit of [1, 2, 4, 8, 16, 32]) {
        const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ bit) + text.slice(at + 1);
        const received = { ...fields, [name]: changed };
        const outcome = await code(verifyEvent({ headers: received, body: received.body }, secret));
        expect(outcome, `${name} ${at} ${bit}`).toMatch(/^(missing-header|too-old|too-new|wrong-signature)$/);
      }
    }
  }
});

test('while a secret is replaced, the old and the new one are good, at the sender and at the receiver', async () => {
  const signed = await signEvent(event, secret);
  expect(await code(verifyEvent(signed, other))).toBe('wrong-signature');
  expect(await code(verifyEvent(signed, [other, secret]))).toBe('accepted');
  const twice = await signEvent(event, other, { id: signed.headers['webhook-id'] });
  const both = `${signed.headers['webhook-signature']} ${twice.headers['webhook-signature']}`;
  expect(await code(verifyEvent({ ...signed, headers: { ...signed.headers, 'webhook-signature': both } }, other))).toBe(
    'accepted',
  );
});

test('five minutes before and after now are good, no more', async () => {
  const nowMs = 1_770_000_000_000;
  const signed = await signEvent(event, secret, { nowMs });
  const at = (seconds: number) => code(verifyEvent(signed, secret, { nowMs: nowMs + seconds * 1000 }));
  expect(await Promise.all([-301, -300, 300, 301].map(at))).toEqual(['too-new', 'accepted', 'accepted', 'too-old']);
});

test('what has no headers, is too long, or is signed but no event is rejected, and no text repeats it', async () => {
  expect(await code(verifyEvent({ headers: new Headers(), body: '' }, secret))).toBe('missing-header');
  const { headers } = await signEvent(event, secret);
  const long = new Request('http://127.0.0.1/', { method: 'POST', headers, body: 'x'.repeat(70_000) });
  expect(await code(verifyEvent(long, secret))).toBe('too-long');
  const text = 'no JSON';
  const signature = new Webhook(secret).sign('msg_1', new Date(), text);
  const signed = { ...headers, 'webhook-id': 'msg_1', 'webhook-signature': signature };
  expect(await code(verifyEvent({ headers: signed, body: text }, secret))).toBe('malformed-body');
  await expect(verifyEvent({ headers, body: '' }, 'a short secret')).rejects.toThrow(/^the secret must be 24 to 64/);
});
