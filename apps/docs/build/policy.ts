import { createHash } from 'node:crypto';

/** Adds a content security policy that allows the inline scripts of a page by their hashes. */
export function withPolicy(page: string, directives: Readonly<Record<string, string>>): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, source = '']) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`);
  const all = {
    'default-src': "'none'",
    ...directives,
    'script-src': [directives['script-src'] ?? [], hashes].flat().join(' '),
    'base-uri': "'none'",
    'form-action': "'none'",
  };
  const policy = Object.entries(all)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
  const charset = /<meta charset="utf-8" ?\/?>/;
  if (!charset.test(page)) throw new Error('a page has no place for its policy');
  return page.replace(charset, (tag) => `${tag}<meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
