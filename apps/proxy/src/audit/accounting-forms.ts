import type { AccountingRow, VehicleAccounting } from './accounting.js';

/** How an accounting is shown: to a person at a terminal, to a program, or as a page. */
export type AccountingForm = 'table' | 'csv' | 'html' | 'json';

const titles = ['client', 'operation', 'brand', 'requests', 'with data', 'bytes', 'first', 'last', 'days'] as const;
const noClient = '(not told apart)';

export function showAccounting(accounting: VehicleAccounting, form: AccountingForm): string {
  if (form === 'csv') return csvOf(accounting);
  if (form === 'json') return `${JSON.stringify(accounting)}\n`;
  return form === 'html' ? pageOf(accounting) : tableOf(accounting);
}

function cellsOf(row: AccountingRow): readonly string[] {
  const { client, operation, brand, count, good, bytes, first, last, from, to } = row;
  const days = from === '' ? '' : `${dayOf(from)} to ${dayOf(to)}`;
  return [client || noClient, operation, brand, String(count), String(good), String(bytes), first, last, days];
}

/** The interface writes days as `20260131`. */
const dayOf = (day: string) => day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

const period = ({ since, until }: VehicleAccounting) =>
  since === '' ? 'The log has no entry.' : `The log is read from ${since} to ${until}.`;
const nobody = 'Nobody has read the data of this vehicle in this time.';
const unnamedTitle = 'Requests that name no vehicle, and can have shown this one';

/** A sentence for what is missing, or `null`. */
function lossOf({ gaps }: VehicleAccounting): string | null {
  const lost = gaps.reduce((sum, gap) => sum + gap.lost, 0);
  if (lost === 0) return null;
  return `${lost} entries of the log are lost, the last ones before ${gaps.at(-1)?.time}; some can be about this vehicle.`;
}

function tableOf(accounting: VehicleAccounting): string {
  const lines = [`vehicle ${accounting.vehicle} (keyed hash of the VIN)`, period(accounting)];
  const loss = lossOf(accounting);
  if (loss !== null) lines.push(loss);
  lines.push('', ...(accounting.rows.length === 0 ? [nobody] : columnsOf(accounting.rows)));
  if (accounting.unnamed.length > 0) lines.push('', `${unnamedTitle}:`, ...columnsOf(accounting.unnamed));
  return `${lines.join('\n')}\n`;
}

function columnsOf(rows: readonly AccountingRow[]): string[] {
  const cells = [titles, ...rows.map(cellsOf)];
  const widths = titles.map((_, column) => Math.max(...cells.map((each) => each[column]?.length ?? 0)));
  return cells.map((each) =>
    each
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function csvOf({ rows, unnamed }: VehicleAccounting): string {
  // A spreadsheet would take a cell that begins so for a formula.
  const quote = (cell: string) => `"${cell.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
  const lines = [...rows.map((row) => ['yes', row] as const), ...unnamed.map((row) => ['no', row] as const)];
  return [['names the vehicle', ...titles], ...lines.map(([isNamed, row]) => [isNamed, ...cellsOf(row)])]
    .map((cells) => `${cells.map(quote).join(',')}\r\n`)
    .join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

/** A page that needs nothing else, for the owner of the vehicle. */
function pageOf(accounting: VehicleAccounting): string {
  const { rows, unnamed, vehicle } = accounting;
  const loss = lossOf(accounting);
  const table = (list: readonly AccountingRow[]) =>
    `<table><thead><tr>${titles.map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead><tbody>
${list
  .map(
    (row) =>
      `<tr>${cellsOf(row)
        .map((cell) => `<td>${escaped(cell)}</td>`)
        .join('')}</tr>`,
  )
  .join('\n')}
</tbody></table>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Who has read the data of this vehicle</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #8888; padding: .3rem .8rem .3rem 0; text-align: left; white-space: nowrap; }
code { overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>Who has read the data of this vehicle</h1>
<p>Vehicle <code>${vehicle}</code>. This is a keyed hash of its identification number, which the log does not have.</p>
<p>${escaped(period(accounting))} Times are in UTC. Each row is one client and one kind of request. “With data” counts the requests to which
a response with data followed; the others got an error response.</p>
${loss === null ? '' : `<p><strong>${escaped(loss)}</strong></p>\n`}${rows.length === 0 ? `<p>${nobody}</p>` : `<div class="wide" role="region" aria-label="Requests" tabindex="0">${table(rows)}</div>`}
${unnamed.length === 0 ? '' : `<h2>${unnamedTitle}</h2>\n<div class="wide" role="region" aria-label="${unnamedTitle}" tabindex="0">${table(unnamed)}</div>\n`}</body>
</html>
`;
}
