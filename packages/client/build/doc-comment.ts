/** A documentation comment of paragraphs; paragraphs that start with `@` follow each other without a blank line. */
export function docComment(indent: number, paragraphs: readonly string[]): string {
  const space = ' '.repeat(indent);
  const lines = paragraphs.flatMap((paragraph, index) => {
    const isTag = paragraph.startsWith('@') && paragraphs[index - 1]?.startsWith('@');
    return [...(index === 0 || isTag ? [] : ['']), ...paragraph.replaceAll('*/', '*\\/').split('\n')];
  });
  const [first] = lines;
  if (lines.length === 1) return `${space}/** ${first} */`;
  return `${space}/**\n${lines.map((line) => `${space} *${line && ` ${line}`}`).join('\n')}\n${space} */`;
}
