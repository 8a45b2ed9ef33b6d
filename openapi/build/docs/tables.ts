import type { ErrorEntry, OperationSpec } from '../../src/contract.ts';
import type { Place } from '../reader.ts';
import { fieldsOf } from './fields.ts';
import { firstSentence } from './llms-txt.ts';

/** A Markdown table. A column whose cells are all empty is left out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = head.map((_, index) => index).filter((index) => rows.some((row) => row[index] !== ''));
  const line = (cells: readonly string[]) =>
    `| ${columns.map((index) => (cells[index] ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const whereErrorsComeFrom = {
  interface: 'stated by the interface',
  observed: 'seen on live services, not promised',
  proxy: 'an answer of the proxy',
} as const;

const readers = {
  developer: 'the developer of the application',
  operator: 'the operator of the proxy or service',
  owner: 'the owner of the vehicle',
} as const;

/** Every code in one table. */
export function errorTable(errors: readonly ErrorEntry[]): string {
  return table(
    ['Code', 'HTTP', 'Message', 'Next step'],
    errors.map(({ code, status, message, resolution }) => [
      `[\`${code}\`](#error-${code})`,
      String(status),
      message,
      `\`${resolution}\``,
    ]),
  );
}

/** One section for each code: cause, remedy, who should see it. */
export function errorEntries(errors: readonly ErrorEntry[]): string {
  return errors
    .map((entry) =>
      [
        `### ${entry.code}`,
        `**${entry.message}** · HTTP ${entry.status} · ${whereErrorsComeFrom[entry.origin]}`,
        `- **Cause:** ${entry.meaning}`,
        `- **Remedy:** ${entry.remedy}`,
        `- **Who should see it:** ${readers[entry.audience]}`,
        `- **Next step for a program:** \`${entry.resolution}\`; ${entry.temporary ? 'temporary' : 'not temporary'}; a \`DELETE\` ${entry.mayHaveTakenEffect ? 'may have taken effect all the same' : 'has not taken effect'}`,
      ].join('\n\n'),
    )
    .map((text) => text.replaceAll('\n\n- ', '\n- ').replace('\n- ', '\n\n- '))
    .join('\n\n');
}

/** The rule of each parameter and of their combination, in words. */
export function limitTable(operation: OperationSpec): string {
  const { dateRange, wideEffect } = operation;
  const rows = operation.parameters.map(({ name, in: place, required, rule }) => [
    `\`${name}\``,
    place,
    required ? 'yes' : 'no',
    [
      rule.enum?.map((value) => `\`${value}\``).join(', '),
      rule.minLength !== undefined && rule.minLength === rule.maxLength ? `${rule.minLength} characters` : undefined,
      rule.minLength !== rule.maxLength && rule.maxLength !== undefined
        ? `at most ${rule.maxLength} characters`
        : undefined,
      rule.format === undefined ? undefined : (formats.get(rule.format) ?? rule.format),
      dateRange?.end === name
        ? `not before \`${dateRange.start}\`, at most ${dateRange.maxDays} days after it`
        : undefined,
      wideEffect?.parameter === name ? 'leaving it out widens the effect' : undefined,
      rule.default === undefined ? undefined : `\`${rule.default}\` when left out`,
    ]
      .filter((part) => part !== undefined)
      .join('; '),
  ]);
  return table(['Parameter', 'In', 'Required', 'Rule'], rows);
}

const formats: ReadonlyMap<string, string> = new Map([
  ['basic-date', 'a calendar day, yyyyMMdd'],
  ['iana-time-zone', 'an IANA time zone identifier'],
]);

/** Every value of an operation's answer with unit and range; empty where the answer carries none. */
export function fieldTable(operation: OperationSpec, root: Place): string {
  const envelope = operation.responses['200'];
  if (envelope === undefined) return '';
  const data = root.child('components').child('schemas').child(envelope).child('properties').child('data');
  const fields = fieldsOf(data);
  if (fields.length === 0) return '';
  // Where everything stands in the items of one list, the list is named once.
  const list = fields[0]?.path.match(/^[^.]+\[\]\./)?.[0] ?? '';
  const shared = fields.every(({ path }) => path.startsWith(list)) ? list : '';
  const head = shared === '' ? 'Field of `data`' : `Field of \`data.${shared.slice(0, -1)}\``;
  return table(
    [head, 'Type', 'Unit', 'Range or values', 'Always there'],
    fields.map(({ path, type, unit, allowed, required }) => [
      `\`${path.slice(shared.length)}\``,
      type,
      unit,
      allowed,
      required ? 'yes' : 'no',
    ]),
  );
}

/** Every code that the operation can answer with: those of the catalogue that come with one of its statuses. */
export function errorsOf(operation: OperationSpec, errors: readonly ErrorEntry[]): readonly ErrorEntry[] {
  return errors.filter(({ status }) => Object.hasOwn(operation.responses, String(status)));
}

/** The errors of one operation with what each means. */
export function operationErrorTable(operation: OperationSpec, errors: readonly ErrorEntry[]): string {
  return table(
    ['HTTP', 'Code', 'Meaning', 'Next step'],
    errorsOf(operation, errors).map(({ code, status, meaning, resolution }) => [
      String(status),
      `[\`${code}\`](#error-${code})`,
      meaning,
      `\`${resolution}\``,
    ]),
  );
}

/** Every field of every answer, by operation: the units page of the guides. */
export function unitTables(operations: readonly OperationSpec[], root: Place): string {
  return operations
    .map((operation) => [operation, fieldTable(operation, root)] as const)
    .filter(([, text]) => text !== '')
    .map(([operation, text]) => `**${operation.summary}** (\`${operation.operationId}\`)\n\n${text}`)
    .join('\n\n');
}

/** The validators that each operation brings to `@vehicle-data/validators`. A test compares these names with its exports. */
export function operationValidators(operations: readonly OperationSpec[]): string {
  return table(
    ['Requests', 'Answers', 'Operation'],
    operations.map(({ operationId, summary }) => [`\`${operationId}Request\``, `\`${operationId}Response\``, summary]),
  );
}

/** The validator and the type guard that each component schema brings to `@vehicle-data/validators`. */
export function schemaValidators(root: Place): string {
  return table(
    ['Validator', 'Type guard', 'What it checks'],
    root
      .child('components')
      .child('schemas')
      .entries()
      .map(([name, schema]) => [
        `\`${name}\``,
        `\`is${name}\``,
        firstSentence(schema.child('description').string()).replace(/\.$/, ''),
      ]),
  );
}
