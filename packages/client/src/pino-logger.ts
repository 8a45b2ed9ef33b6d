import type { CallEvent, Logger } from './observe.js';

/** A logger that takes the fields first, as pino does. */
export interface FieldsFirstLogger {
  debug(fields: CallEvent, message: string): unknown;
  warn(fields: CallEvent, message: string): unknown;
  error(fields: CallEvent, message: string): unknown;
}

/**
 * A logger for the client made of a pino logger, which takes the fields before the message.
 *
 * @example
 * createVehicleDataClient({ baseUrl, brand, logger: pinoLogger(pino()) });
 */
export function pinoLogger(pino: FieldsFirstLogger): Logger {
  return {
    debug: (message, fields) => pino.debug(fields, message),
    warn: (message, fields) => pino.warn(fields, message),
    error: (message, fields) => pino.error(fields, message),
  };
}
