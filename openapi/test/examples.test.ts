import { expect, test } from 'vitest';
import { openContract } from '../build/model.ts';
import { errorCatalogue, operations } from '../src/index.js';
import { placeAt } from './contract.ts';

test('trip examples hold several samples, and every signal of a trip equally many', () => {
  for (const name of ['PowertrainTrips', 'DrivingTrips']) {
    for (const trip of placeAt('components', 'examples', name, 'value', 'data', 'trips').items()) {
      const lists = JSON.stringify(trip.value).match(/\[[^\][]*\]/g) ?? [];
      const lengths = lists.map((list) => (JSON.parse(list) as unknown[]).length);
      expect(new Set(lengths).size).toBe(1);
      expect(lengths[0]).toBeGreaterThan(3);
    }
  }
});

test('every parameter has an example, the one of its schema', () => {
  for (const [name, parameter] of placeAt('components', 'parameters').entries()) {
    expect(parameter.child('schema').child('examples').value, name).toContain(parameter.child('example').value);
  }
});

test.for(Object.values(operations))(
  '$operationId has a response with an example for exactly the codes it can return',
  ({ operationId, path, method }) => {
    const responses = placeAt('paths', path, method.toLowerCase(), 'responses').entries();
    const shown = responses
      .filter(([status]) => status >= '400')
      .flatMap(([status, response]) => {
        const examples = response.child('content').child('application/json').child('examples').entries();
        return examples.map(([, example]) => {
          const error = example.child('value').child('error');
          return [status, error.child('code').value, error.child('message').value];
        });
      });
    const expected = errorCatalogue
      .filter((entry) => entry.operations.some((id) => id === operationId))
      .map(({ status, code, message }) => [String(status), code, message]);
    expect(shown.toSorted()).toEqual(expected.toSorted());
    expect(shown.length).toBeGreaterThan(15);
  },
);

test.for(Object.values(operations))(
  'the first example of status 400 of $operationId is 4002, in every tool that keeps the order or sorts the keys',
  ({ path, method }) => {
    const response = placeAt('paths', path, method.toLowerCase(), 'responses', '400');
    const keys = Object.keys(response.child('content').child('application/json').child('examples').object());
    expect(keys[0]).toBe('error-4002');
    // Keys that are whole numbers come first in JavaScript, whatever the order of the document.
    expect(keys.filter((key) => /^\d+$/.test(key))).toEqual([]);
  },
);

test('every example of the components is used by a response', async () => {
  const used = JSON.stringify((await openContract()).value);
  const unused = Object.keys(placeAt('components', 'examples').object()).filter(
    (name) => !used.includes(`"#/components/examples/${name}"`),
  );
  expect(unused).toEqual([]);
});

test('every response states the headers of rate limits, which are marked as the proxy’s', () => {
  for (const { path, method } of Object.values(operations)) {
    const responses = placeAt('paths', path, method.toLowerCase(), 'responses').entries();
    for (const [status, response] of responses)
      expect(Object.keys(response.resolved('responses').child('headers').object()), `${path} ${status}`).toEqual(
        expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
      );
  }
  for (const name of ['RateLimit', 'RateLimitPolicy'])
    expect(placeAt('components', 'headers', name, 'x-source', 'header').value).toMatch(/^proxy: /);
});

test('an operation lists only errors that it can return', () => {
  const codes = (id: string) =>
    errorCatalogue.filter(({ operations: ids }) => ids.some((each) => each === id)).map(({ code }) => code);
  // This list names no vehicle and needs no token, and nothing but a withdrawal can affect a whole brand.
  expect(codes('listVehicles')).not.toContain('5006');
  expect(codes('listVehicles')).not.toContain('40002');
  expect(codes('getLocation')).not.toContain('stop-all-not-allowed');
  expect(codes('stopDataSharing')).toEqual(expect.arrayContaining(['4045', 'stop-all-not-allowed']));
  expect(codes('getLocation')).not.toContain('no-such-operation');
});
