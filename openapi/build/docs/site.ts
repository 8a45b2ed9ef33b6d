import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { OperationSpec } from '../../src/contract.ts';
import type { Changes, PackageNotes } from './changes.ts';
import { changeOf, placeOf } from './changes-in-words.ts';
import { logo } from './docs-document.ts';
import type { Guide } from './guides.ts';
import { firstSentence, type Info } from './llms-txt.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Markdown's inline code as HTML. */
const inline = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** What the site is made from. */
export interface SiteSource {
  readonly info: Info;
  readonly guides: readonly Guide[];
  readonly operations: readonly OperationSpec[];
  readonly changes: Changes;
}

/**
 * A folder for any static host: a landing page, and the docs in a folder named after the contract's version. Put over the
 * folder of an earlier version, it leaves that version's docs where they are.
 */
export async function buildSite(folder: string, dist: string, source: SiteSource): Promise<void> {
  const site = `${dist}/site`;
  await mkdir(site, { recursive: true });
  const css = await readFile(`${folder}/docs-theme/landing.css`, 'utf8');
  await Promise.all([
    cp(`${dist}/docs`, `${site}/${source.info.version}`, { recursive: true }),
    writeFile(`${site}/index.html`, landingPage(source, css)),
  ]);
}

function landingPage({ info, guides, operations, changes }: SiteSource, css: string): string {
  const { version } = info;
  const hash = `sha256-${createHash('sha256').update(css).digest('base64')}`;
  const card = (href: string, title: string, text: string) =>
    `<li><a href="${version}/${href}"><strong>${inline(title)}</strong><span>${inline(text)}</span></a></li>`;
  const files = [
    ['llms.txt', 'Index for language models'],
    ['openapi.yaml', 'The contract, OpenAPI 3.1, as YAML'],
    ['openapi.json', 'The same as JSON'],
  ] as const;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash}'; img-src 'self' data:; base-uri 'none'; form-action 'none'" />
<title>${escaped(info.title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="description" content="${escaped(info.summary)}" />
<link rel="icon" href="${logo}" />
<style>${css}</style>
</head>
<body>
<main>
<header><img src="${logo}" width="44" height="44" alt="" /><h1>${escaped(info.title)}</h1></header>
<p>${escaped(info.summary)} Contract version ${escaped(version)}.</p>
<nav class="start" aria-label="Start"><a href="${version}/#guide-getting-started">Get started</a><a href="${version}/">Read the reference</a><a href="#what-changed">What changed</a></nav>
<figure tabindex="0"><img src="${version}/figures/request-path.svg" width="880" height="350" alt="How a request travels from the application through the proxy to the service and back" /></figure>
<h2>Guides</h2>
<ul class="cards">${guides.map(({ name, title, text }) => card(`#guide-${name}`, title, firstSentence(text))).join('')}</ul>
<h2>Operations</h2>
<ul class="cards">${operations.map(({ operationId, summary, method, path }) => card(`#${operationId}`, summary, `\`${method} ${path}\``)).join('')}</ul>
<h2 id="what-changed">What changed</h2>
${whatChanged(changes)}
<p><a href="${version}/#guide-changelog">Every change in full, and past releases</a></p>
<h2>For tools and agents</h2>
<ul class="cards">${files.map(([name, text]) => card(name, name, text)).join('')}</ul>
<p>Each guide and operation stands as Markdown under <code>${version}/guides/</code> and <code>${version}/operations/</code>.</p>
</main>
</body>
</html>
`;
}

/** The changes of the next release, or of the last one where nothing waits, as lists by package. */
function whatChanged({ next, contract, latest, latestContract }: Changes): string {
  const isNext = next.length > 0;
  const comparison = isNext ? contract : latestContract;
  const differences = (comparison?.differences ?? []).map(
    (difference) =>
      `<code>${escaped(placeOf(difference))}</code>: ${inline(changeOf(difference))} (${difference.impact})`,
  );
  const ofContract = comparison
    ? [list(`Contract, compared with ${comparison.since}`, differences.length > 0 ? differences : ['Nothing.'])]
    : [];
  const shown = isNext ? next : latest;
  const ofPackages = shown.map(({ name, version, notes }) => list(named({ name, version }), notes.map(shortNote)));
  const lists = [...ofContract, ...ofPackages];
  if (lists.length === 0) return '<p>Nothing has been released yet, and nothing waits.</p>';
  const when = isNext ? 'In the next release:' : 'In the newest release of each package:';
  return `<p>${when}</p>\n<div class="changes">${lists.join('')}</div>`;
}

const named = ({ name, version }: Omit<PackageNotes, 'notes'>) => (version === undefined ? name : `${name} ${version}`);

const shortNote = (note: string) => inline(firstSentence(note) || note);

const list = (title: string, items: readonly string[]) =>
  `<section><h3>${escaped(title)}</h3><ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul></section>`;
