import { createHash } from 'node:crypto';

/** Adds a content security policy to a page. Of its inline scripts it allows those that are there now, by their hashes. */
export function withPolicy(page: string, scripts: string, others: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`);
  const policy = `default-src 'none'; script-src ${[scripts, ...hashes].join(' ').trim()}; ${others}; base-uri 'none'; form-action 'none'`;
  const charset = /<meta charset="utf-8" ?\/?>/;
  if (!charset.test(page)) throw new Error('a page has no place for its policy');
  return page.replace(charset, (tag) => `${tag}<meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
