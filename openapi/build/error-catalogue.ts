import type { ErrorEntry, OperationSpec } from '../src/contract.ts';
import type { Json, Place } from './place.ts';
import { readSources } from './sources.ts';

/** The response component from which error responses are made. */
export const errorTemplate = 'Error';

const resolutions = ['retry', 'refresh-token', 'ask-consent', 'fix-request', 'fix-credentials', 'no-data'] as const;

/** An entry of the catalogue with what a response with this code holds besides code and message. */
export interface CatalogueEntry extends ErrorEntry {
  /** Headers that come with the code. */
  readonly headers: readonly string[];
  /** An example of `error.details`. */
  readonly details: Json;
}

/** Which operations can return a code, by the word that errors.yaml uses. */
const conditions: Readonly<Record<string, (operation: OperationSpec) => boolean>> = {
  all: () => true,
  'with-vehicle': ({ parameters }) => parameters.some(({ name }) => name === 'vin'),
  'with-required-token': ({ bearer }) => bearer === 'required',
  'with-wide-effect': ({ wideEffect }) => wideEffect !== null,
  none: () => false,
};

/** Reads `x-error-catalogue`. */
export function readErrorCatalogue(root: Place, operations: readonly OperationSpec[]): readonly CatalogueEntry[] {
  const seen = new Set<string>();
  const entries = root.child('x-error-catalogue').items();
  const template = root.child('components').child('responses').child(errorTemplate);
  const headerNames = Object.keys(template.child('headers').object());
  return entries.map((place) => {
    place.shaped(
      'code message status operations origin resolution temporary mayHaveTakenEffect audience meaning remedy',
      'headers details x-source',
    );
    const code = place.child('code').string();
    const origin = place.child('origin').oneOf(['interface', 'observed', 'proxy']);
    if (seen.has(code)) place.child('code').fail('is there twice');
    seen.add(code);
    if ((origin === 'proxy') === /^[0-9]+$/.test(code)) {
      place.child('code').fail('codes of the service are digits, codes of the proxy are words');
    }
    // The codes of the proxy are its own, and the status of a code that the interface states is not stated with it.
    const aspect = { interface: 'status', observed: 'code', proxy: undefined }[origin];
    if (aspect !== undefined && !readSources(place).some((source) => source.aspect === aspect)) {
      place.fail(`x-source must say where its ${aspect} was seen`);
    }
    const status = place.child('status');
    if (!/^[45][0-9]{2}$/.test(String(status.value))) status.fail('expected a status from 400 to 599');
    const condition = conditions[place.child('operations').oneOf(Object.keys(conditions))] ?? (() => false);
    return {
      code,
      message: place.child('message').string(),
      status: status.number(),
      operations: operations.filter(condition).map(({ operationId }) => operationId),
      headers: (place.optional('headers')?.items() ?? []).map((header) => header.oneOf(headerNames)),
      details: place.optional('details')?.value ?? [],
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
