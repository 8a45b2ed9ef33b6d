import { createHash } from 'node:crypto';

/** What is put into the page after Redocly has made it. */
export interface Seal {
  readonly theme: string;
  readonly script: string;
}

// Addresses that the page would load from or report to. The policy forbids them all; they are taken out as well, so that no
// reader's console shows a refusal.
const foreignAddresses: readonly (readonly [string, string])[] = [
  ['https://cdn.redoc.ly/redoc/logo-mini-full.svg', wordmark()],
  ['https://cdn.redoc.ly/redoc/logo-mini.svg', wordmark()],
  ['https://otel.cloud.redocly.com/v1/traces', 'data:,'],
  ['https://cdn.redocly.com/icons/fa/7.0.0', 'data:,'],
  ['https://cdn.redocly.com/icons/code/5.24.0', 'data:,'],
];

/** Redocly's name as text in place of the picture that its page loads: the credit stays, the request does not. */
function wordmark(): string {
  return `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="14" viewBox="0 0 50 14"><text x="0" y="11" font-family="system-ui,sans-serif" font-size="10" font-weight="600" fill="#3072db">Redocly</text></svg>',
  )}`;
}

/**
 * Puts theme and script into the page, takes foreign addresses out of it, and forbids it by a content security policy to
 * run any script but its own and to load anything from anywhere. A page that does not look as expected stops the build.
 */
export function sealPage(page: string, { theme, script }: Seal): string {
  let text = page;
  for (const [address, instead] of foreignAddresses) text = replaceOnce(text, address, instead);
  text = replaceOnce(text, '<!-- theme.css -->', theme);
  text = replaceOnce(text, '<!-- page.js -->', script);
  // Redocly prerenders links for a server that knows its routes. On one page they are fragments, with and without scripts.
  text = text.replaceAll(/ href="\/([a-z0-9/_-]*)" data-discover="true"/g, ' href="#/$1" data-discover="true"');
  const scripts = [...text.matchAll(/<script(?<attributes>[^>]*)>(?<source>[\s\S]*?)<\/script>/g)];
  if (scripts.length !== 3) throw new Error(`the docs page has ${scripts.length} scripts instead of 3`);
  const hashes = scripts.map(({ groups }) => {
    if (groups?.['attributes']?.includes('src')) throw new Error('the docs page loads a script');
    return `'sha256-${createHash('sha256')
      .update(groups?.['source'] ?? '')
      .digest('base64')}'`;
  });
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    // styled-components writes style elements while the page runs.
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return replaceOnce(
    text,
    '<!-- content security policy -->',
    `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
}

function replaceOnce(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`the docs page holds "${from}" ${parts.length - 1} times instead of once`);
  return parts.join(to);
}
