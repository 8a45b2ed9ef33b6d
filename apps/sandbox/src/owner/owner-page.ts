// The pages of an owner: no scripts, nothing from elsewhere, and readable by a screen reader from top to bottom.
import { operations } from '@vehicle-data/openapi';
import { html } from 'hono/html';
import type { Consent } from '../fleet/vehicles.js';
import type { OwnerAccounting } from './reads.js';
import type { OwnerReceipt } from './receipts.js';

/** A vehicle as its owner sees it. */
export interface OwnedVehicle {
  readonly vin: string;
  readonly nickname: string;
  readonly model: string;
  readonly brand: string;
  readonly consent: Consent;
  readonly accounting: OwnerAccounting;
  readonly receipts: readonly OwnerReceipt[];
}

type Page = ReturnType<typeof html>;

const style = `
:root { color-scheme: light dark; --line: #d3d7de; --card: #fff; --page: #f4f6f9; --text: #16202e; --soft: #4d5a6b; --go: #0b57c2; --stop: #b3261e; --good: #12632f; }
@media (prefers-color-scheme: dark) { :root { --line: #3a4350; --card: #1b222c; --page: #12171e; --text: #eef2f7; --soft: #b4bfcd; --go: #8ab8ff; --stop: #ff9d94; --good: #7fd79b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 0; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { margin: .4rem 0; max-width: 42rem; }
a { color: var(--go); }
article { background: var(--card); border: 1px solid var(--line); border-radius: .9rem; padding: 1.3rem 1.4rem; margin: 1.4rem 0; }
header { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: baseline; justify-content: space-between; }
.soft { color: var(--soft); }
.state { font-weight: 600; border: 1px solid currentColor; border-radius: 2rem; padding: .05rem .8rem; }
.shared { color: var(--good); }
.withdrawn { color: var(--stop); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .45rem 1rem .45rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.n, th.n { text-align: right; }
button, .button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.2rem; border-radius: .6rem; border: 2px solid var(--stop); background: none; color: var(--stop); cursor: pointer; display: inline-block; text-decoration: none; }
button.real { background: var(--stop); color: var(--card); }
.button { border-color: var(--line); color: var(--text); }
:focus-visible { outline: 3px solid var(--go); outline-offset: 2px; }
form, .row { display: flex; flex-wrap: wrap; gap: .8rem; margin-top: 1rem; align-items: center; }
.note { border-left: 4px solid var(--stop); padding: .2rem 0 .2rem 1rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .4rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { th, td { white-space: normal; padding-right: .5rem; font-size: .9rem; } }
@media print { form, .row { display: none; } article { break-inside: avoid; } }
`;

const states: Readonly<Record<Consent, string>> = {
  shared: 'Shares its data',
  withdrawn: 'No longer shares',
  never: 'Never shared',
};

/** Where a page of vehicles is. */
export function addressOf(page: number, problem = ''): string {
  const query = new URLSearchParams({ ...(page > 1 && { page: String(page) }), ...(problem && { problem }) });
  return `/owner${query.size === 0 ? '' : `?${query}`}`;
}

/** Vehicles of an owner, from the one page to the next. */
export function vehiclesPage(
  vehicles: readonly OwnedVehicle[],
  {
    page: number,
    hasMore,
    problem,
  }: { readonly page: number; readonly hasMore: boolean; readonly problem: string | null },
): Page {
  return page(
    'My vehicles',
    html`<h1>My vehicles</h1>
      <p class="soft">Who has read their data, and how you end that.</p>
      ${problem === null ? '' : html`<p class="note" role="alert">${problem}</p>`}
      ${vehicles.length === 0 ? html`<p>You have no vehicles here.</p>` : vehicles.map((each, index) => cardOf(each, index, number))}
      ${number > 1 || hasMore ? pagesOf(number, hasMore) : ''}`,
  );
}

function pagesOf(number: number, hasMore: boolean): Page {
  return html`<nav class="row" aria-label="More vehicles">
    ${number > 1 ? html`<a class="button" href="${addressOf(number - 1)}" rel="prev">Vehicles before these</a>` : ''}
    ${hasMore ? html`<a class="button" href="${addressOf(number + 1)}" rel="next">More vehicles</a>` : ''}
  </nav>`;
}

const fieldsOf = (vin: string, page: number) => html`<input type="hidden" name="vin" value="${vin}" />
  ${page > 1 ? html`<input type="hidden" name="page" value="${page}" />` : ''}`;

function cardOf(vehicle: OwnedVehicle, index: number, number: number): Page {
  const { vin, nickname, model, brand, consent, accounting, receipts } = vehicle;
  const title = `vehicle-${index}`;
  return html`<article aria-labelledby="${title}">
    <header>
      <h2 id="${title}">${nickname}</h2>
      <span class="state ${consent}">${states[consent]}</span>
    </header>
    <p class="soft">${model}, ${brand}, <abbr title="vehicle identification number">VIN</abbr> ending in ${vin.slice(-4)}</p>
    <h3 id="${title}-reads">Who has read its data</h3>
    ${readsOf(accounting, `${title}-reads`)}
    ${receipts.length === 0 ? '' : html`<h3>Receipts</h3>${receipts.map(receiptOf)}`}
    ${
      consent === 'shared'
        ? html`<form method="post" action="/owner/confirm">
            ${fieldsOf(vin, number)}
            <button>Stop sharing ${nickname}</button>
          </form>`
        : ''
    }
  </article>`;
}

function readsOf({ rows }: OwnerAccounting, title: string): Page {
  if (rows.length === 0) return html`<p>Nobody yet.</p>`;
  return html`<div class="wide" role="region" aria-labelledby="${title}" tabindex="0">
    <table>
      <thead>
        <tr><th scope="col">Who</th><th scope="col">What</th><th scope="col" class="n">Requests</th><th scope="col" class="n">With data</th><th scope="col">Days</th><th scope="col">Last</th></tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ client, operation, count, good, from, to, last }) =>
            html`<tr>
              <td>${client || 'not identified'}</td><td>${nameOf(operation)}</td><td class="n">${count}</td><td class="n">${good}</td>
              <td>${from === '' ? 'latest' : `${dayOf(from)} to ${dayOf(to)}`}</td><td>${timeOf(last)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function receiptOf({ record_id, pii_principal_id, brand, issuer, processing, signal, completed }: OwnerReceipt): Page {
  const done = processing === 'dpv:Erase' ? 'Deleted' : 'No longer passed on';
  return html`<dl>
      <dt>${done}</dt><dd>${timeOf(completed.time)}</dd>
      <dt>You withdrew</dt><dd>${timeOf(signal.event_time)}</dd>
      <dt>Signed by</dt><dd>the ${issuer.component}</dd>
    </dl>
    <p><a href="/owner/receipts/${[brand, pii_principal_id, record_id].map(encodeURIComponent).join('/')}" download>Download the receipt</a></p>`;
}

/** The question before a withdrawal. */
export function confirmationPage(
  { vin, nickname, brand }: Pick<OwnedVehicle, 'vin' | 'nickname' | 'brand'>,
  number: number,
): Page {
  return page(
    `Stop sharing ${nickname}?`,
    html`<h1>Stop sharing ${nickname}?</h1>
      <p>From then on nobody gets data of this vehicle under ${brand}. What applications have stored of it must be deleted.</p>
      <p>You cannot undo this here: to share again, you have to agree again.</p>
      <form method="post" action="/owner/withdraw">
        ${fieldsOf(vin, number)}
        <button class="real">Stop sharing ${nickname}</button>
        <a class="button" href="${addressOf(number)}">Keep sharing</a>
      </form>`,
  );
}

function page(title: string, body: Page): Page {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${style}</style>
      </head>
      <body><main>${body}</main></body>
    </html>`;
}

const summaries: ReadonlyMap<string, string> = new Map(
  Object.values(operations).map(({ operationId, summary }) => [operationId, summary]),
);
const nameOf = (operation: string) => summaries.get(operation) ?? operation;
/** The contract writes days as `20260131`. */
const dayOf = (day: string) => day.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
const timeOf = (time: string) => time.replace('T', ' ').replace(/:\d\d(?:\.\d+)?Z$/, ' UTC');
