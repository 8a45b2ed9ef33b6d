/** The query of a URL with its `?`. Not `URL.search`, which is empty for a bare `?` too. */
export function rawQuery(url: string): string {
  const [beforeFragment = ''] = url.split('#', 1);
  const start = beforeFragment.indexOf('?');
  return start < 0 ? '' : beforeFragment.slice(start);
}
