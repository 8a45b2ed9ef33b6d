// What docstrings of the SDK say of an operation, a parameter and its errors.
import type { ErrorEntry, OperationSpec, ParameterSpec } from '@vehicle-data/openapi';
import { errorClass } from '../src/errors.ts';

/** What a parameter means and what it may hold. */
export function describe({ description, rule, name }: ParameterSpec, { wideEffect }: OperationSpec): string {
  const facts = [
    name === wideEffect?.parameter ? withoutWideEffect(description, name) : description,
    rule.pattern !== undefined && `Pattern \`${rule.pattern}\`.`,
    rule.enum && `One of ${rule.enum.join(', ')}.`,
    rule.default !== undefined && !description.includes(String(rule.default)) && `Default ${rule.default}.`,
  ].filter(Boolean);
  return facts.join(' ');
}

/** A description for the method that always sends the parameter: without the sentences about its absence. */
export function withoutWideEffect(description: string, parameter: string): string {
  const isAboutAbsence = new RegExp(`without (it|\`${parameter}\`)|absent|none at all`, 'i');
  const sentences = description.split(/(?<=\.\**) +(?=\S)/);
  return sentences.filter((sentence) => !isAboutAbsence.test(sentence)).join(' ');
}

/** One `@throws` for each class that a code of the catalogue can become on this operation. */
export function throwsOf({ operationId }: OperationSpec, catalogue: readonly ErrorEntry[]): readonly string[] {
  const stated = catalogue.filter(({ origin, operations }) => origin !== 'proxy' && operations.includes(operationId));
  const byClass = new Map<string, string[]>();
  for (const { code, message, resolution, status } of stated) {
    const { name } = errorClass(resolution, status);
    byClass.set(name, [...(byClass.get(name) ?? []), `${code} ${message}`]);
  }
  return [
    '@throws {ArgumentError} before any request, when an argument breaks a rule of the contract.',
    ...[...byClass].map(([name, codes]) => `@throws {${name}} ${codes.join('; ')}.`),
    '@throws {ConnectionError | TimeoutError | AbortedError | MalformedResponseError} when no response of the service arrives.',
  ];
}

/** A documentation comment of paragraphs; paragraphs that start with `@` follow each other without a blank line. */
export function docComment(indent: number, paragraphs: readonly string[]): string {
  const space = ' '.repeat(indent);
  const lines = paragraphs.flatMap((paragraph, index) => {
    const isTag = paragraph.startsWith('@') && paragraphs[index - 1]?.startsWith('@');
    return [...(index === 0 || isTag ? [] : ['']), ...paragraph.replaceAll('*/', '*\\/').split('\n')];
  });
  const [first] = lines;
  if (lines.length === 1) return `${space}/** ${first} */`;
  return `${space}/**\n${lines.map((line) => `${space} *${line && ` ${line}`}`).join('\n')}\n${space} */`;
}
