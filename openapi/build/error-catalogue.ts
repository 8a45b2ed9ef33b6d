import type { ErrorEntry } from '../src/contract.ts';
import type { Place } from './reader.ts';

const resolutions = ['retry', 'refresh-token', 'ask-consent', 'fix-request', 'fix-credentials', 'no-data'] as const;

/** Reads `x-error-catalogue`. */
export function readErrorCatalogue(root: Place): readonly ErrorEntry[] {
  const seen = new Set<string>();
  return root
    .child('x-error-catalogue')
    .items()
    .map((place) => {
      place.shaped({
        code: 'required',
        message: 'required',
        status: 'required',
        origin: 'required',
        resolution: 'required',
        temporary: 'required',
        mayHaveTakenEffect: 'required',
        audience: 'required',
        meaning: 'required',
        remedy: 'required',
      });
      const code = place.child('code').string();
      const origin = place.child('origin').oneOf(['interface', 'observed', 'proxy']);
      if (seen.has(code)) place.child('code').fail('stands twice');
      seen.add(code);
      if ((origin === 'proxy') === /^[0-9]+$/.test(code)) {
        place.child('code').fail('codes of the service are digits, codes of the proxy are words');
      }
      return {
        code,
        message: place.child('message').string(),
        status: place.child('status').number(),
        origin,
        resolution: place.child('resolution').oneOf(resolutions),
        temporary: place.child('temporary').boolean(),
        mayHaveTakenEffect: place.child('mayHaveTakenEffect').boolean(),
        audience: place.child('audience').oneOf(['developer', 'operator', 'owner']),
        meaning: place.child('meaning').string(),
        remedy: place.child('remedy').string(),
      };
    });
}
