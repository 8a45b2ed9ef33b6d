import { expect, test } from 'vitest';
import { errorCatalogue, operations } from '../src/index.js';
import { bundle, isObject, lookUp, places } from './bundle.ts';

test('trip examples hold several samples, and every signal of a trip equally many', () => {
  for (const name of ['PowertrainTrips', 'DrivingTrips']) {
    const trips = lookUp(bundle, 'components', 'examples', name, 'value', 'data', 'trips');
    if (!Array.isArray(trips)) throw new Error('trips are a list');
    for (const trip of trips) {
      const lengths = [...places(trip)].flatMap(([, value]) => (Array.isArray(value) ? [value.length] : []));
      expect(new Set(lengths).size).toBe(1);
      expect(lengths[0]).toBeGreaterThan(3);
    }
  }
});

test('every parameter has an example, the one of its schema', () => {
  const parameters = lookUp(bundle, 'components', 'parameters');
  if (!isObject(parameters)) throw new Error('parameters are an object');
  for (const name of Object.keys(parameters)) {
    expect(lookUp(parameters, name, 'schema', 'examples'), name).toContain(lookUp(parameters, name, 'example'));
  }
});

test.for(Object.values(operations))(
  '$operationId has a response with an example for exactly the codes it can return',
  (operation) => {
    const responses = lookUp(bundle, 'paths', operation.path, operation.method.toLowerCase(), 'responses');
    if (!isObject(responses)) throw new Error('responses are an object');
    const shown = Object.keys(responses)
      .filter((status) => status >= '400')
      .flatMap((status) => {
        const examples = lookUp(responses, status, 'content', 'application/json', 'examples');
        if (!isObject(examples)) throw new Error('examples are an object');
        return Object.keys(examples).map((code) => {
          const error = lookUp(examples, code, 'value', 'error');
          return [status, lookUp(error, 'code'), lookUp(error, 'message')];
        });
      });
    const expected = errorCatalogue
      .filter((entry) => entry.operations.some((id) => id === operation.operationId))
      .map(({ status, code, message }) => [String(status), code, message]);
    expect(shown.toSorted()).toEqual(expected.toSorted());
    expect(shown.length).toBeGreaterThan(15);
  },
);

test('an operation lists only errors that it can return', () => {
  const codes = (id: string) =>
    errorCatalogue.filter(({ operations: ids }) => ids.some((each) => each === id)).map(({ code }) => code);
  // This list names no vehicle and needs no token, and nothing but a withdrawal can affect a whole brand.
  expect(codes('listVehicles')).not.toContain('5006');
  expect(codes('listVehicles')).not.toContain('40002');
  expect(codes('getLocation')).not.toContain('stop-all-not-allowed');
  expect(codes('stopDataSharing')).toEqual(expect.arrayContaining(['4045', 'stop-all-not-allowed']));
  for (const id of Object.keys(operations)) {
    expect(codes(id)).toEqual(
      expect.arrayContaining(['request-timeout', 'body-not-allowed', 'target-too-long', 'headers-too-large']),
    );
    expect(codes(id)).not.toContain('no-such-operation');
  }
});
