// What the tools of an agent have in common: how one is registered, how large a result may be, and what never leaves in one.
import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { usageError } from '../cli-error.js';
import type { Context } from '../context.js';
import { failureOf } from './failures.js';
import type { Memory } from './memory.js';
import type { Picture } from './picture.js';
import type { VehicleNames } from './redact.js';
import type { ObjectSchema } from './schemas.js';

const longestResult = 50_000;
/** In bytes: no picture of a trip is that large, whatever its lanes. */
const longestPicture = 750_000;
const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const vehicleProperty = {
  vehicle: { type: 'string', maxLength: 40, description: 'Name of a vehicle, from list_vehicles.' },
};

/** What a tool returns: a record, and a picture of it. */
export interface Result {
  readonly record: object;
  readonly picture?: Picture;
}

export const cursorProperty = {
  cursor: { type: 'string', maxLength: 40, description: 'nextCursor of the page before.' },
};

/** What an agent sees of a tool. */
export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly output: ObjectSchema;
  /** What to choose where a result is too large. */
  readonly instead?: string;
}

/** What every tool of a server needs. */
export interface Agent {
  readonly server: McpServer;
  readonly context: Context;
  readonly names: VehicleNames;
  readonly exactPosition: boolean;
  readonly memory: Memory;
}

/**
 * Registers a tool that only reads. A result that is too large for an agent is rejected. A failure is a result that says what
 * happened, without a VIN or a token.
 */
export function register<Given>(
  { server, context, names }: Agent,
  { name, title, description, properties, output, instead = 'ask for less' }: ToolFacts,
  optional: readonly string[],
  run: (given: Given, signal: AbortSignal) => Promise<Result>,
): void {
  const required = Object.keys(properties).filter((property) => !optional.includes(property));
  const inputSchema = fromJsonSchema<Given>({ type: 'object', properties, required, additionalProperties: false });
  const outputSchema = fromJsonSchema(output);
  const facts = { title, description, inputSchema, outputSchema, annotations: readOnly };
  server.registerTool(name, facts, async (given, { mcpReq }) => {
    try {
      // The signal of a request also ends with the connection.
      const { record, picture } = await run(given, AbortSignal.any([context.signal, mcpReq.signal]));
      const text = names.hide(JSON.stringify(record));
      if (text.length > longestResult || (picture && picture.bytes.length > longestPicture))
        throw usageError(`the result is too large for an agent; ${instead}`);
      const images = picture
        ? [{ type: 'image' as const, data: picture.bytes.toString('base64'), mimeType: picture.mimeType }]
        : [];
      return { content: [{ type: 'text' as const, text }, ...images], structuredContent: JSON.parse(text) };
    } catch (error) {
      const text = names.hide(JSON.stringify({ error: failureOf(error) }));
      return { isError: true, content: [{ type: 'text' as const, text }] };
    }
  });
}
