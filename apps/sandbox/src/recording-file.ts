import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { isObject, type JsonObject } from './json-value.js';
import type { RecordedCall, SandboxOptions } from './sandbox-options.js';
import { codeOf, StartError } from './state-file.js';

/** What a recording needs of the sandbox that made it. */
type RecordedOptions = Pick<SandboxOptions, 'seed' | 'sensorNoise'> & { readonly vehicles?: number | undefined };

const version = 1;

/** Begins a recording: a line with the options, then a line for each call. */
export function recordingFile(path: string, options: RecordedOptions): (call: RecordedCall) => void {
  try {
    writeFileSync(path, `${JSON.stringify({ version, ...options })}\n`);
  } catch (error) {
    throw new StartError(`the recording cannot be written (${codeOf(error)})`);
  }
  return (call) => appendFileSync(path, `${JSON.stringify(call)}\n`);
}

/** Reads a recording. @throws StartError if the file is none. */
export function readRecording(path: string): { readonly options: RecordedOptions; readonly calls: RecordedCall[] } {
  const [header, ...lines] = readLines(path);
  if (header?.['version'] !== version) throw new StartError('the recording is not one of this version of the sandbox');
  const { seed, sensorNoise, vehicles } = header;
  return {
    options: {
      seed: typeof seed === 'number' ? seed : undefined,
      sensorNoise: typeof sensorNoise === 'boolean' ? sensorNoise : undefined,
      vehicles: typeof vehicles === 'number' ? vehicles : undefined,
    },
    calls: lines.map((line) => {
      if (!isCall(line)) throw new StartError('the recording has a line that is no call');
      return line;
    }),
  };
}

function readLines(path: string): readonly JsonObject[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    return lines.map((line): unknown => JSON.parse(line)).filter(isObject);
  } catch (error) {
    throw new StartError(`the recording cannot be read (${codeOf(error)})`);
  }
}

function isCall(value: JsonObject): value is JsonObject & RecordedCall {
  const texts = ['at', 'method', 'path', 'requestId', 'body', 'response'];
  return texts.every((name) => typeof value[name] === 'string') && typeof value['status'] === 'number';
}
