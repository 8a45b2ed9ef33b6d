// The table of "Names of the field", made from the marks x-vss of the contract.
import { type Place, type VssLine, vssLines } from '@vehicle-data/openapi/model';
import { table } from '../markdown.ts';

/** Every value that has a name in VSS, with its conversion and what is lost. */
export function vssTable(contract: Place): string {
  const rows = vssLines(contract).map((line) => {
    const type = [`\`${line.datatype}\``, line.unit].filter(Boolean).join(', ');
    const path = `\`${line.path}\`${line.isOwn ? ' (overlay)' : ''}`;
    return [`\`${nameOf(line)}\``, path, type, conversionOf(line), lossOf(line)];
  });
  return table(['Value', 'Name in VSS', 'Type, unit', 'Conversion', 'Loss and difference'], rows);
}

/** Which version of the catalogue the names are of, and where it is from. */
export function vssVersion(contract: Place): string {
  const catalogue = contract.child('x-vss-catalogue');
  const of = (key: string) => catalogue.child(key).string();
  return `Version ${of('version')} of the [catalogue](${of('source')}), license ${of('license')}.`;
}

function nameOf({ place }: VssLine): string {
  const steps = place.pointer.split('/').slice(3);
  return steps.filter((step) => step !== 'properties' && step !== 'items').join('.');
}

function conversionOf({ place, factor, values, datatype }: VssLine): string {
  const unit = place.optional('x-unit')?.value;
  if (values)
    return Object.entries(values)
      .map(([text, value]) => `${text} → ${value ?? 'no value'}`)
      .join(', ');
  if (factor === null) return 'as sent';
  const rounded = datatype.includes('int') ? ', rounded' : '';
  const one = (by: number) => (by === 1 ? 'as sent' : `× ${by}`);
  if (typeof factor === 'number') return `${typeof unit === 'string' ? `${unit}, ` : ''}${one(factor)}${rounded}`;
  return `${Object.entries(factor)
    .map(([of, by]) => `${of} ${one(by)}`)
    .join(', ')}${rounded}`;
}

function lossOf({ note, datatype, factor }: VssLine): string {
  // A whole number loses what is behind its point, unless the factor brought that before it.
  const loses = datatype.includes('int') && factor === 1;
  return [loses ? 'Up to half a unit: tenths are lost.' : '', note].filter(Boolean).join(' ');
}
