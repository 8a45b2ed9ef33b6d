import { fileURLToPath } from 'node:url';
// The compiler's API; version 7 has none.
import ts from 'typescript5';
import { fenced } from './markdown.ts';
import type { Page } from './page.ts';

const values: Groups = {
  Functions: ts.SymbolFlags.Function | ts.SymbolFlags.Variable,
  Classes: ts.SymbolFlags.Class,
};
const types: Groups = { Types: ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias };
const pages: readonly (readonly [path: string, specifier: string, title: string, groups: Groups])[] = [
  ['sdk/client', '@vehicle-data/client', 'SDK reference', values],
  ['sdk/types', '@vehicle-data/client', 'SDK reference: types', types],
  ['sdk/series', '@vehicle-data/client/series', 'SDK reference: series', { ...values, ...types }],
];

type Groups = Readonly<Record<string, ts.SymbolFlags>>;

/** Every export of the SDK with its docstring and declaration, from the emitted declarations. */
export function sdkPages(): readonly Page[] {
  return pages.map(([path, specifier, title, groups]) => {
    const file = fileURLToPath(import.meta.resolve(specifier)).replace(/\.js$/, '.d.ts');
    const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, skipLibCheck: true });
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${specifier} has no declarations`);
    const symbols = checker
      .getExportsOfModule(module)
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .filter((symbol) => !/generated\/(?:schemas|types)\.d\.ts$/.test(fileOf(symbol)));
    const group = (name: string, flags: ts.SymbolFlags) => {
      const members = symbols.filter((symbol) => symbol.flags & flags).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return members.length === 0 ? [] : [`## ${name}`, ...members.map((symbol) => entry(symbol, checker))];
    };
    return {
      path,
      title,
      description: `${Object.keys(groups).join(', ')} of ${specifier}.`,
      keywords: ['api reference', 'methods', 'types'],
      text: [
        `${Object.keys(groups).join(', ')} of \`${specifier}\`, made from its type declarations. The [SDK guide](../guides/sdk.md) shows how to use them.`,
        ...Object.entries(groups).flatMap(([name, flags]) => group(name, flags)),
      ].join('\n\n'),
    };
  });
}

const fileOf = (symbol: ts.Symbol) => symbol.declarations?.[0]?.getSourceFile().fileName ?? '';

function entry(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const parts = (text: readonly ts.SymbolDisplayPart[] | undefined) =>
    plainDoc(ts.displayPartsToString(text && [...text]));
  const parameters = symbol.getJsDocTags(checker).filter(({ name }) => ['param', 'returns', 'throws'].includes(name));
  const declarations = (symbol.declarations ?? []).map((declaration) =>
    declaration.getText().replace(/^export (?:declare )?/, ''),
  );
  return [
    `### ${symbol.name}`,
    parts(symbol.getDocumentationComment(checker)),
    parameters.map(({ name, text }) => `- *${name}*: ${parts(text)}`).join('\n'),
    fenced('ts', declarations.join('\n')),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** A docstring as Markdown: no links of its own, and no character that HTML would take for a tag. */
const plainDoc = (text: string) =>
  text
    .replaceAll(
      /\{@link(?:code)? ([^}|]+)(?:\|([^}]+))?\}/g,
      (_, target: string, label?: string) => `\`${(label ?? target).trim()}\``,
    )
    .replaceAll(/<(?=\w)/g, '\\<')
    .replaceAll('{{', '{ {');
