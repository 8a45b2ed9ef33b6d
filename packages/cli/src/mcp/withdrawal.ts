import { fromJsonSchema, inputRequired, inputResponse, type McpServer } from '@modelcontextprotocol/server';
import { isVehicleDataError } from '@vehicle-data/client';
import type { Context } from '../context.js';
import { stopOne } from '../generated/commands.js';
import { printable } from '../output/printable.js';
import type { VehicleNames } from './redact.js';
import { objectOf } from './schemas.js';

const confirmWithinMs = 5 * 60_000;

interface PendingConfirmation {
  /** All of it that travels through the client, which cannot guess another. */
  readonly id: string;
  readonly vehicle: string;
  readonly vin: string;
  readonly endMs: number;
}

const says = (text: string, isError = false) => ({ content: [{ type: 'text' as const, text }], isError });

/**
 * The tool that ends sharing for one vehicle. It asks a person through the client (elicitation) to type the vehicle's name; a
 * plain argument never confirms. A confirmation holds for five minutes, for that vehicle, once. There is no tool for all
 * vehicles of a brand.
 */
export function registerWithdrawal(
  server: McpServer,
  context: Context,
  names: VehicleNames,
  forget: () => void = () => {},
): void {
  /** The one confirmation that is waited for: a later question replaces it. */
  let pending: PendingConfirmation | undefined;
  server.registerTool(
    'stop_sharing_for_one_vehicle',
    {
      title: 'Stop sharing for one vehicle',
      description: 'Ends data sharing for one vehicle. Only its owner can start it again. A person must confirm.',
      inputSchema: fromJsonSchema<{ readonly vehicle: string }>({
        type: 'object',
        properties: { vehicle: { type: 'string', maxLength: 40 } },
        required: ['vehicle'],
        additionalProperties: false,
      }),
      outputSchema: fromJsonSchema(objectOf({ sharingEnded: { type: 'boolean' } })),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ vehicle }, extra) => {
      const id = extra.mcpReq.requestState();
      const confirmation = inputResponse(extra.mcpReq.inputResponses, 'confirm');
      if (id === undefined || confirmation.kind === 'missing') {
        const vin = await names.vinOf(vehicle);
        const { nickname, sellname } = (await context.vehicles()).find((listed) => listed.vin === vin) ?? {};
        const shown = [nickname, sellname].flatMap((text) =>
          text ? `, ${JSON.stringify(printable(names.hide(text)))}` : [],
        );
        pending = { id: crypto.randomUUID(), vehicle, vin, endMs: Date.now() + confirmWithinMs };
        return inputRequired({
          inputRequests: {
            confirm: inputRequired.elicit({
              message: `Data sharing ends for the vehicle ${vehicle}${shown.join('')}. Only its owner can start it again. Type ${vehicle} to confirm.`,
              requestedSchema: {
                type: 'object',
                properties: { name: { type: 'string', title: 'Name of the vehicle' } },
                required: ['name'],
              },
            }),
          },
          requestState: pending.id,
        });
      }
      const asked = pending?.id === id ? pending : undefined;
      if (asked) pending = undefined;
      const isConfirmed =
        asked?.vehicle === vehicle &&
        Date.now() < asked.endMs &&
        confirmation.kind === 'elicit' &&
        confirmation.action === 'accept' &&
        confirmation.content?.['name'] === vehicle;
      if (!isConfirmed) return says('Not confirmed. Nothing was sent.', true);
      try {
        await stopOne(await context.client(), asked.vin);
        forget();
        return { ...says('Sharing has ended for this vehicle.'), structuredContent: { sharingEnded: true } };
      } catch (error) {
        const effect =
          isVehicleDataError(error) && error.mayHaveTakenEffect
            ? ' It may have taken effect; list the vehicles to see.'
            : '';
        return says(`It failed.${effect}`, true);
      }
    },
  );
}
