// Receipts as a page that a person can read, print and pass on. It has no scripts and loads nothing.
import type { Receipt, ReceiptCheck } from './receipt.js';

/** A receipt as it is stored, and what its verification said. */
export interface CheckedReceipt {
  readonly text: string;
  readonly check: ReceiptCheck;
}

/** A page about receipts, whole. */
export function receiptsPage(receipts: readonly CheckedReceipt[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Deletion receipts</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
article { border: 1px solid #767676; border-radius: 6px; padding: 0 1rem 1rem; margin: 1.5rem 0; break-inside: avoid }
dt { font-weight: 600 } dd { margin: 0 0 .5rem; overflow-wrap: anywhere }
table { border-collapse: collapse } th, td { text-align: left; padding: .2rem 1rem .2rem 0 } td.n, th.n { text-align: right }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px }
.ok { color: #0a5d1a } .bad { color: #9b1c1c; font-weight: 600 }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161616 } .ok { color: #7ad08c } .bad { color: #ff9c9c } }
</style>
</head>
<body>
<main>
<h1>Deletion receipts</h1>
${receipts.length === 0 ? '<p>There are no receipts.</p>' : receipts.map(articleOf).join('\n')}
</main>
</body>
</html>
`;
}

function articleOf({ text, check }: CheckedReceipt): string {
  const raw = `<details><summary>As it is stored</summary><pre>${escaped(text)}</pre></details>`;
  if (!check.ok) {
    return `<article><h2>Not verified</h2><p class="bad">${problems[check.reason]} Do not rely on it.</p>${raw}</article>`;
  }
  const { receipt } = check;
  const { issuer, signal, completed, storage } = receipt;
  const rows: readonly (readonly [string, string])[] = [
    ['Vehicle', `${receipt.pii_principal_id}, ${receipt.brand}`],
    ...(receipt.account === null ? [] : [['Account', receipt.account] as const]),
    ['Why', `${signals[signal.event_type]} (${timeOf(signal.event_time)})`],
    ['Done', `${timeOf(completed.time)}. ${methods[completed.method]}`],
    ['Issued by', `${issuer.component}, ${issuer.software} ${issuer.software_version}, purge ${receipt.generation}`],
    ['Receipt', receipt.record_id],
    ['Key', receipt.signature.key],
  ];
  const title = receipt.processing === 'dpv:Erase' ? 'Deleted' : 'No longer passed on';
  return `<article><h2>${title}, on ${escaped(timeOf(completed.time))}</h2>
<p class="ok">The signature is right: nothing was changed since the receipt was issued.</p>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
${tableOf(receipt, storage)}${raw}</article>`;
}

function tableOf({ storage_complete }: Receipt, storage: Receipt['storage']): string {
  const more = storage_complete ? '' : '<p>Records were damaged: more may have been deleted than is listed here.</p>';
  if (storage.length === 0) return more;
  const lines = storage.map((one) => {
    const cells = [one.series, one.first_day, one.last_day].map((cell) => `<td>${escaped(cell)}</td>`).join('');
    return `<tr>${cells}<td class="n">${escaped(String(one.files))}</td><td class="n">${escaped(String(one.bytes))}</td></tr>`;
  });
  const head =
    '<tr><th>What was held</th><th>First day</th><th>Last day</th><th class="n">Files</th><th class="n">Bytes</th></tr>';
  return `<table><thead>${head}</thead><tbody>${lines.join('')}</tbody></table>${more}`;
}

const signals: Readonly<Record<Receipt['signal']['event_type'], string>> = {
  withdrawal: 'The consent was withdrawn',
  list: 'The list of vehicles that share data no longer had the vehicle',
  error: 'The service said that the vehicle is not shared, and its list agreed',
  callback: 'The service called back, and its list agreed',
  request: 'A person asked for deletion',
};

const methods: Readonly<Record<Receipt['completed']['method'], string>> = {
  'listed-empty': 'The place of the vehicle was listed and had nothing in it.',
  'requests-rejected': 'Requests for the vehicle are rejected.',
};

const problems: Readonly<Record<Exclude<ReceiptCheck, { ok: true }>['reason'], string>> = {
  'not-a-receipt': 'This is no receipt, or it was changed.',
  'unknown-key': 'It was signed with a key that is not among those given.',
  'wrong-signature': 'The signature is wrong: it was changed.',
};

const timeOf = (time: string) => time.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '');
