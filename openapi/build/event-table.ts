// The events of this product, which the contract describes under `webhooks`.
import type { JsonObject, Place } from './place.ts';

/** One event, by its type. */
export interface EventSpec {
  /** The `type` of its payload, such as `vehicle.consent_ended`. */
  readonly type: string;
  /** The component schema of its payload. */
  readonly schema: string;
  readonly summary: string;
  readonly example: JsonObject;
}

/** Reads every event of the bundle. Stops at the first construct it does not understand. */
export function readEvents(root: Place): readonly EventSpec[] {
  const events = root.optional('webhooks')?.entries() ?? [];
  return events.map(([type, item]) => {
    const operation = item.shaped('post').child('post');
    operation.shaped('operationId tags summary description security requestBody responses');
    const content = operation.child('requestBody').shaped('required content').child('content');
    const body = content.shaped('application/json').child('application/json').shaped('schema examples');
    const schema = body.child('schema').refName('schemas') ?? body.fail('the payload is not a component schema');
    const constant = body.child('schema').resolved('schemas').child('properties').child('type').child('const');
    if (constant.string() !== type) constant.fail(`must be ${type}, the name of the webhook`);
    const [, first] = body.child('examples').entries()[0] ?? body.fail('an example is missing');
    const example = first.resolved('examples').child('value').object();
    return { type, schema, summary: operation.child('summary').string(), example };
  });
}
