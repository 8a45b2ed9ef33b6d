import type { ErrorCode, OperationId } from '@vehicle-data/openapi';
import type { RequestOf } from '@vehicle-data/validators';
import type { Answer, CallFacts } from '../answer.js';
import type { Consents } from '../consents.js';
import type { Fleet } from '../fleet/fleet.js';
import type { Reports } from '../fleet/report.js';
import type { FleetVehicle } from '../fleet/vehicles.js';

/** One checked call, with what a handler needs to answer it. */
export interface Call<Id extends OperationId> {
  readonly facts: CallFacts;
  /** The checked parameters. */
  readonly request: RequestOf<Id>;
  /** Whose token it carries, or the demo owner where a token is optional and absent. */
  readonly owner: string;
  /** Position of its brand in the list of brands. */
  readonly brandPosition: number;
  /** The `meta.success` of the contract's example of this operation. */
  readonly successMember: unknown;
  readonly fleet: Fleet;
  readonly reports: Reports;
  readonly consents: Consents;
  /** Keeps a change of state; to be awaited before the answer. */
  readonly save: () => Promise<void>;
}

/** A call of whichever operation, without its parameters. */
export type AnyCall = Omit<Call<OperationId>, 'request'>;

/** Answers the calls of one operation. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Answer | Promise<Answer>;

/** The handlers there are. An operation of the contract without one answers with the contract's example. */
export type Handlers = { readonly [Id in OperationId]?: Handler<Id> };

/**
 * The vehicle of a call if its owner shares it, or the error that says why not. A vehicle of another owner or brand, or one that does
 * not exist, is not told apart from one that was never registered.
 */
export function sharedVehicle(call: AnyCall, vin: string): FleetVehicle | ErrorCode {
  const { owner, brandPosition, fleet, consents } = call;
  const vehicle = fleet.vehicle(vin);
  if (vehicle === undefined || vehicle.owner !== owner || vehicle.brandPosition !== brandPosition) return '4101';
  const consent = consents.of(vin);
  if (consent === 'shared') return vehicle;
  return consent === 'withdrawn' ? '5006' : '4101';
}
