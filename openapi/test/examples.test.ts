import { expect, test } from 'vitest';
import { openContract } from '../build/model.ts';
import { errorCatalogue, operations } from '../src/index.js';
import { placeAt } from './contract.ts';

const exampleNames = Object.keys(placeAt('components', 'examples').object());
const dataOf = (name: string) => placeAt('components', 'examples', name, 'value', 'data');

test('trip examples hold several samples, and every signal of a trip equally many', () => {
  const names = exampleNames.filter((name) => /Trips(?!Empty)/.test(name));
  expect(names).toEqual(expect.arrayContaining(['PowertrainTrips', 'DrivingTrips']));
  for (const name of names) {
    for (const trip of dataOf(name).child('trips').items()) {
      const lists = JSON.stringify(trip.value).match(/\[[^\][]*\]/g) ?? [];
      const lengths = lists.map((list) => (JSON.parse(list) as unknown[]).length);
      expect(new Set(lengths).size, name).toBe(1);
      expect(lengths[0], name).toBeGreaterThan(3);
    }
  }
});

test('there is an example of each case that a client must be ready for', () => {
  const shown = ({ path, method }: { readonly path: string; readonly method: string }) => {
    const examples = placeAt('paths', path, method.toLowerCase(), 'responses', '200', 'content', 'application/json');
    return examples
      .child('examples')
      .entries()
      .map(([, example]) => example.child('value'));
  };
  const sizes = (operation: Parameters<typeof shown>[0], list: string) =>
    shown(operation).map((value) => value.child('data').child(list).items().length);
  expect(sizes(operations.listVehicles, 'vehicles')).toEqual(expect.arrayContaining([0, 1, 2]));
  for (const operation of [operations.getPowertrainData, operations.getDrivingData])
    expect(sizes(operation, 'trips'), operation.operationId).toEqual(expect.arrayContaining([0, 1]));
  const [electric] = dataOf('PowertrainTripsElectric').child('trips').items();
  expect(Object.keys(electric?.object() ?? {})).toEqual(['triggerStartTime', 'tripLength', 'batteries']);
  const provisional = placeAt('components', 'examples', 'DrivingTripsProvisional', 'value');
  const [trip] = provisional.child('data').child('trips').items();
  const endMs = Date.parse(trip?.child('triggerStartTime').string() ?? '') + (trip?.child('tripLength').number() ?? 0);
  const sentMs = Date.parse(provisional.child('meta').child('timestamp').string());
  expect(sentMs - endMs).toBeGreaterThan(0);
  expect(sentMs - endMs).toBeLessThan(120_000);
});

test('every parameter has an example, the one of its schema', () => {
  for (const [name, parameter] of placeAt('components', 'parameters').entries()) {
    expect(parameter.child('schema').child('examples').value, name).toContain(parameter.child('example').value);
  }
});

test.for(Object.values(operations))(
  'an operation has a response with an example for exactly the codes it can return: $operationId',
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
  'the first example of status 400 is 4002, in every tool that keeps the order or sorts the keys: $operationId',
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
        expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-RateLimit-Remaining']),
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
