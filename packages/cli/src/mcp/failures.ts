// Failures as an agent reads them: what happened and what it can do, without words of the command line.
import { isVehicleDataError } from '@vehicle-data/client';
import { CliError } from '../cli-error.js';

const hints: Readonly<Record<string, string>> = {
  'refresh-token': 'The access token has expired. The person who runs this server has to provide a new one.',
  'fix-credentials': 'The access token or API key is wrong. The person who runs this server has to check it.',
  'ask-consent': 'The owner does not share this vehicle. What is held of it has to be deleted.',
  'check-effect': 'It may have taken effect. See list_vehicles.',
  retry: 'Try again later.',
};

/** Names of options are those of arguments. */
const withoutDashes = (text: string) => text.replaceAll(/--(?=[a-z])/g, '');
/** What to type is of no use to an agent. */
const isForShell = (hint: string) => /\bvds |VDS_|npm install/.test(hint);

export function failureOf(error: unknown) {
  if (isVehicleDataError(error))
    return { code: error.code, resolution: error.resolution, hint: hints[error.resolution] };
  if (!(error instanceof CliError)) return { code: 'unexpected' };
  const { code, message, hint } = error;
  const told = hint === undefined || isForShell(hint) ? undefined : withoutDashes(hint);
  return { code, message: withoutDashes(message), hint: told };
}
