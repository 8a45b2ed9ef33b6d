// Consent ends by a code of the catalogue, and what to delete is decided by the list of vehicles alone.
import { errorCatalogue } from '@vehicle-data/openapi';
import { describe, expect, test } from 'vitest';
import { errorOf, failed, failure, stubbed, success, vin } from './service.ts';

const [one, two, three] = ['SANDB0XA000000001', 'SANDB0XA000000002', 'SANDB0XA000000003'] as const;

describe('consent', () => {
  test('is ended by no HTTP status, whatever the code that is not of the catalogue', async () => {
    for (let status = 400; status < 600; status += 1) {
      for (const body of [failure('API_SUNSET', 'v1 is gone'), '<html>', '{}']) {
        const { client } = stubbed(new Response(body, { status }), { maxRetries: 0 });
        for (const call of [client.getLocation({ vin }), client.listVehicles(), client.stopSharing({ vin })]) {
          const { resolution, name } = await errorOf(call);
          expect([resolution === 'ask-consent', name]).toEqual([false, expect.not.stringMatching('ConsentError')]);
        }
      }
    }
  });

  const ending = errorCatalogue.filter(({ resolution }) => resolution === 'ask-consent');
  test.each(ending)(
    'is ended by a code that ends it, with a hint where a VIN has a typing mistake: $code',
    async ({ code }) => {
      const { client } = stubbed(failed(code, 400));
      const error = await errorOf(client.getLocation({ vin }));
      expect(error).toMatchObject({ name: 'ConsentError', resolution: 'ask-consent' });
      expect(error.message).not.toContain('typing mistake');
      for (const wrong of [vin.toLowerCase(), vin.replaceAll('0', 'O')]) {
        const { message } = await errorOf(client.getLocation({ vin: wrong }));
        expect(message).toContain('check the VIN for a typing mistake');
        expect(message).not.toContain(wrong);
      }
    },
  );
});

describe('client.consents.changes()', () => {
  const listed = (...vins: readonly unknown[]) =>
    success({ vehicles: vins.map((each) => ({ vin: each, type: 'EV' })) });

  test('says who has joined, who has left and who stays', async () => {
    const { client, sent } = stubbed(listed(one, three, one));
    expect(await client.consents.changes(new Set([one, two]))).toEqual({
      joined: [{ vin: three, type: 'EV' }],
      left: [two],
      unchanged: [{ vin: one, type: 'EV' }],
    });
    expect(sent).toMatchObject([{ url: '/v1/vehicles/consent', method: 'GET' }]);
  });

  test.each<{ story: string; response: Response | string }>([
    { story: 'an error', response: failed('5001', 500) },
    { story: 'a code of consent', response: failed('4101', 400) },
    { story: 'a page', response: new Response('<html>', { status: 410 }) },
    { story: 'a list with an entry without a VIN', response: listed(one, undefined) },
    { story: 'a list with an entry that is none', response: success({ vehicles: [{ vin: one }, null] }) },
    { story: 'no list', response: success({}) },
    { story: 'a success that is none', response: success({ vehicles: [] }, false) },
  ])('says nothing, but fails, where the service responds with $story', async ({ response }) => {
    const { client } = stubbed(response, { maxRetries: 0 });
    const error = await errorOf(client.consents.changes([one, two]));
    expect(error).toMatchObject({ operation: 'listVehicles', name: expect.stringMatching(/Error$/) });
    expect(error.message).toContain('consents.changes: ');
  });

  test('sends nothing without credentials: the list of nobody would delete everything', async () => {
    const { client, sent } = stubbed(listed(), { accessToken: undefined });
    expect(await errorOf(client.consents.changes([one]))).toMatchObject({ code: 'no-access-token' });
    expect(sent).toEqual([]);
    expect(await client.with({ accessToken: null }).consents.changes([one])).toMatchObject({ left: [one] });
  });

  test.each([
    { story: 'no list', text: 'known must be a list of VINs', known: undefined },
    { story: 'a VIN', text: 'known must be a list of VINs', known: one },
    { story: 'something else than VINs', text: 'entry 1 is none', known: [one, 'x'] },
    { story: 'a VIN in other capitals', text: 'differs from one of the list', known: [one.toLowerCase()] },
  ])('rejects what is no list of VINs, and never repeats it: $story', async ({ text, known }) => {
    const { client } = stubbed(listed(one));
    const error = await errorOf(client.consents.changes(known as never));
    expect(error).toMatchObject({ name: 'ArgumentError', parameter: 'known' });
    expect(error.message).toContain(text);
    expect(error.message.toUpperCase()).not.toContain(one);
  });
});
