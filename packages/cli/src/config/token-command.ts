// Access tokens from a command of the user, as git and cloud tools know them from credential helpers: a token that expires during
// a long export is replaced without a person.
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { CliError, exitCodes } from '../cli-error.js';
import { isObject } from './config-file.js';

const deadlineMs = 30_000;
const mostOutput = 64 * 1024;

/**
 * Runs a command in the shell and reads the access token that it prints: the token alone, or an object with `access_token`
 * (https://www.rfc-editor.org/rfc/rfc6749#section-5.1). Its standard error stays its own.
 *
 * @param refresh Whether the API has rejected the last token. The command sees it as `VDS_TOKEN_REFRESH=1`.
 * @throws CliError `token-command-failed`, which never holds what the command printed
 */
export async function runTokenCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  refresh: boolean,
  signal: AbortSignal,
): Promise<string> {
  const failed = (why: string) =>
    new CliError('token-command-failed', `the token command ${why}`, {
      hint: 'Run the command by itself. It must print an access token, or JSON with "access_token".',
      exitCode: exitCodes.usage,
    });
  const given = { ...env, VDS_TOKEN_REFRESH: refresh ? '1' : '0' };
  const run = promisify(exec)(command, { env: given, signal, timeout: deadlineMs, maxBuffer: mostOutput });
  run.child.stdin?.end();
  const { stdout } = await run.catch((error: { readonly code?: unknown; readonly killed?: boolean }) => {
    if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') throw failed(`printed more than ${mostOutput} bytes`);
    if (error.killed === true && !signal.aborted) throw failed(`took longer than ${deadlineMs / 1000} s`);
    throw failed(typeof error.code === 'number' ? `ended with code ${error.code}` : 'could not be run');
  });
  const text = stdout.trim();
  if (!text.startsWith('{')) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failed('printed JSON that cannot be read');
  }
  const token = isObject(value) ? value['access_token'] : undefined;
  if (typeof token !== 'string') throw failed('printed JSON without a text "access_token"');
  return token;
}
