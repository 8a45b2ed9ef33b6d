import highlight from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import type { Guide } from './guides.ts';

const languages = { sh: bash, json, sql, ts: typescript, yaml };
for (const [name, language] of Object.entries(languages)) highlight.registerLanguage(name, language);

/** The kinds of words that have a colour in docs-theme/theme.css, each with the classes of highlight.js that it stands for. */
const kinds = {
  comment: ['comment'],
  string: ['string', 'regexp'],
  keyword: ['keyword', 'built_in', 'type'],
  number: ['number', 'literal'],
  name: ['title', 'attr', 'attribute', 'variable'],
} as const;
type Kind = keyof typeof kinds;

const kindOf = (className: string | undefined): Kind | undefined =>
  Object.entries(kinds).find(([, names]) => names.some((name) => name === className))?.[0] as Kind | undefined;

/** A coloured word: its kind, and where it begins and ends in the code. */
export type Word = readonly [Kind, number, number];

/**
 * The coloured words of every code block of the guides, by the text of the block. Redoc colours the samples of operations alone,
 * and loses blanks between elements in Markdown, so the page gets these lists and leaves the text as it is.
 */
export function colouredCode(guides: readonly Guide[]): Readonly<Record<string, readonly Word[]>> {
  const blocks = guides.flatMap(({ text }) => [...text.matchAll(/^```([a-z]+)\n([\s\S]*?)^```$/gm)]);
  return Object.fromEntries(
    blocks
      .filter(([, language = '']) => Object.hasOwn(languages, language))
      .map(([, language = '', code = '']) => [code.trimEnd(), wordsOf(code.trimEnd(), language)]),
  );
}

function wordsOf(code: string, language: string): readonly Word[] {
  const words: Word[] = [];
  const open: (Kind | undefined)[] = [];
  let at = 0;
  const { value } = highlight.highlight(code, { language });
  for (const [piece, className] of value.matchAll(/<span class="hljs-([a-z_]+)[^"]*">|<\/span>|[^<]+/g)) {
    if (piece.startsWith('<span')) open.push(kindOf(className) ?? open.at(-1));
    else if (piece === '</span>') open.pop();
    else {
      // An escaped character is one of the code.
      const end = at + piece.replaceAll(/&[#a-z0-9]+;/g, ' ').length;
      const kind = open.at(-1);
      if (kind !== undefined) words.push([kind, at, end]);
      at = end;
    }
  }
  if (at !== code.length) throw new Error(`the words of a code block do not cover it: ${code.slice(0, 40)}`);
  return words;
}
