import type { ErrorEntry, OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import { brandHeader } from './operation-table.ts';
import type { Payload } from './payloads.ts';
import { operationPointer, refuse } from './refuse.ts';

/** The interface of the methods, with everything that an editor's hover should say. */
export function methodInterfaces(
  specs: readonly OperationSpec[],
  payloads: Readonly<Record<string, Payload>>,
  catalogue: readonly ErrorEntry[],
): string {
  const methods = specs.flatMap((operation) => methodsOf(operation, payloads, catalogue));
  const trips = specs.flatMap((operation) => tripMethod(operation));
  const parameters = specs.flatMap((operation) => parametersOf(operation));
  const schemas = [...new Set(specs.map(({ operationId }) => payloads[operationId]?.schema))].sort();
  const items = [...new Set(specs.flatMap(({ series }) => series?.itemSchema ?? []))].sort();
  return `import type { AgedAnswer, Answer, ApiCall } from '../api-call.js';
import type { CallOptions } from '../call-options.js';
import type { TripIterator, TripIteratorOptions, TripRange } from '../trips/trip-iterator.js';
import type { ${[...new Set(['Brand', ...schemas, ...items])].join(', ')} } from './schemas.js';

${parameters.join('\n\n')}

/** One method for each operation of the contract. */
export interface OperationMethods {
${methods.join('\n\n')}
}

/** Iterators over any range of days, one for each series of the contract. */
export interface TripIterators {
${trips.join('\n\n')}
}
`;
}

function parametersOf(operation: OperationSpec): readonly string[] {
  const own = ownParameters(operation);
  if (own.length === 0) return [];
  const required = (parameter: ParameterSpec) =>
    parameter.required || parameter.name === operation.wideEffect?.parameter;
  const members = own.map(
    (parameter) =>
      `${doc(2, [describe(parameter)])}\n  ${parameter.name}${required(parameter) ? ': string' : '?: string | undefined'};`,
  );
  return [
    `/** Parameters of ${methodName(operation)}. */\nexport interface ${typeName(operation)} {\n${members.join('\n')}\n}`,
  ];
}

function methodsOf(
  operation: OperationSpec,
  payloads: Readonly<Record<string, Payload>>,
  catalogue: readonly ErrorEntry[],
): readonly string[] {
  const data = payloads[operation.operationId]?.schema ?? '';
  const own = ownParameters(operation);
  const optional = !operation.wideEffect && own.every(({ required }) => !required);
  const answer = operation.measuredAt ? `AgedAnswer<${data}>` : `Answer<${data}>`;
  const result = `ApiCall<${data}, ${answer}>`;
  const tail = [
    operation.bearer === 'required' ? 'Needs an access token.' : 'The access token is optional on this call.',
    `\`${operation.method} ${operation.path}\`, operation \`${operation.operationId}\`.`,
  ];
  const tags = [
    ...own.map((parameter) => `@param parameters.${parameter.name} ${describe(parameter)}`),
    ...throwsOf(operation, catalogue),
    ...(operation.deprecated ? ['@deprecated'] : []),
  ];
  const parameters = own.length === 0 ? '' : `parameters${optional ? '?' : ''}: ${typeName(operation)}, `;
  const { wideEffect } = operation;
  const narrow = `${doc(2, [`${operation.summary}.`, operation.description, ...tail, ...tags])}
  ${wideEffect?.narrow ?? operation.operationId}(${parameters}options?: CallOptions): ${result};`;
  if (!wideEffect) return [narrow];
  const wide = `${doc(2, [
    `${operation.summary}, for everything that the ${brandHeader} header names.`,
    operation.description,
    ...tail,
    `@param confirmation.${confirmName} The brand in effect, repeated as confirmation. Another one is refused before any request.`,
    ...throwsOf(operation, catalogue),
  ])}
  ${wideEffect.wide}(confirmation: { ${confirmName}: Brand }, options?: CallOptions): ${result};`;
  return [narrow, wide];
}

function tripMethod(operation: OperationSpec): readonly string[] {
  const { series, dateRange } = operation;
  if (!series || !dateRange) return [];
  const names = [dateRange.start, dateRange.end];
  const others = ownParameters(operation).filter(({ name }) => !names.includes(name));
  if (others.some(({ name }) => name === 'from' || name === 'to')) {
    refuse(operationPointer(operation), 'a series cannot have a parameter named from or to');
  }
  const units = Object.entries(series.signals).map(([path, signal]) =>
    signal.kind === 'number'
      ? `- \`${path}\`: ${signal.unit}${signal.minimum === null ? '' : `, ${signal.minimum} to ${signal.maximum}`}`
      : `- \`${path}\`: ${signal.values.join(', ')}`,
  );
  const members = others.map(
    (parameter) =>
      `${doc(4, [describe(parameter)])}\n    ${parameter.name}${parameter.required ? ': string' : '?: string | undefined'};`,
  );
  return [
    `${doc(2, [
      `${operation.summary} of any length: an iterator over every trip from \`from\` to \`to\`, both days included.`,
      `The range is asked for in windows of at most ${dateRange.maxDays + 1} calendar days (${dateRange.end} at most ${dateRange.maxDays} days after ${dateRange.start}); trips come in order of their start time, each once. A window without data is empty.`,
      `Signals, each a list of samples over the trip:\n${units.join('\n')}`,
      `Made of \`${operation.operationId}\`; throws what it throws.`,
    ])}
  ${series.name}(
    range: {
${members.join('\n')}
    } & TripRange,
    options?: TripIteratorOptions,
  ): TripIterator<${series.itemSchema}>;`,
  ];
}

const confirmName = brandHeader[0]?.toLowerCase() + brandHeader.slice(1);

function ownParameters(operation: OperationSpec): readonly ParameterSpec[] {
  return operation.parameters.filter((parameter) => parameter.in !== 'header');
}

function methodName(operation: OperationSpec): string {
  return operation.wideEffect?.narrow ?? operation.operationId;
}

function typeName(operation: OperationSpec): string {
  const name = methodName(operation);
  return `${name[0]?.toUpperCase()}${name.slice(1)}Parameters`;
}

function describe({ description, rule }: ParameterSpec): string {
  const facts = [
    rule.pattern !== undefined && `Pattern \`${rule.pattern}\`.`,
    rule.enum && `One of ${rule.enum.join(', ')}.`,
    rule.default !== undefined && !description.includes(rule.default) && `Default ${rule.default}.`,
  ].filter(Boolean);
  return [description, ...facts].join(' ');
}

/** One `@throws` for each class that a code of the catalogue can become on this operation. */
function throwsOf(operation: OperationSpec, catalogue: readonly ErrorEntry[]): readonly string[] {
  const classes: Readonly<Record<ErrorEntry['resolution'], string>> = {
    'fix-request': 'InvalidRequestError',
    'fix-credentials': 'CredentialsError',
    'refresh-token': 'AccessTokenError',
    'ask-consent': 'ConsentError',
    'no-data': 'NoDataError',
    retry: 'ServiceFailureError',
  };
  const stated = catalogue.filter(({ origin, status }) => origin !== 'proxy' && `${status}` in operation.responses);
  const byClass = new Map<string, string[]>();
  for (const { code, message, resolution, status } of stated) {
    const name = resolution === 'retry' && status === 429 ? 'RateLimitError' : classes[resolution];
    byClass.set(name, [...(byClass.get(name) ?? []), `${code} ${message}`]);
  }
  return [
    '@throws {ArgumentError} before any request, when an argument breaks a rule of the contract.',
    ...[...byClass].map(([name, codes]) => `@throws {${name}} ${codes.join('; ')}.`),
    '@throws {ConnectionError | TimeoutError | AbortedError | MalformedAnswerError} when no answer of the service arrives.',
  ];
}

function doc(indent: number, paragraphs: readonly string[]): string {
  const space = ' '.repeat(indent);
  const lines = paragraphs.flatMap((paragraph, index) => {
    const tag = paragraph.startsWith('@') && paragraphs[index - 1]?.startsWith('@');
    return [...(index === 0 || tag ? [] : ['']), ...paragraph.replaceAll('*/', '*\\/').split('\n')];
  });
  const [first] = lines;
  if (lines.length === 1) return `${space}/** ${first} */`;
  return `${space}/**\n${lines.map((line) => `${space} *${line && ` ${line}`}`).join('\n')}\n${space} */`;
}
