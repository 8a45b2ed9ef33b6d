/** The Copy button of a block that continues others copies all of them, since the block alone does not run. */
export function copyWholeSample({ target }: Event): void {
  const block = target instanceof Element && target.matches('button.copy') ? target.closest('.continues') : null;
  if (block === null) return;
  const blocks = [...document.querySelectorAll('.vp-doc div.language-ts')];
  const last = blocks.findIndex((candidate) => block.contains(candidate));
  const first = blocks.findLastIndex((candidate, index) => index <= last && candidate.closest('.continues') === null);
  const texts = blocks.slice(first, last + 1).map((candidate) => candidate.querySelector('pre')?.textContent ?? '');
  // The theme copies the block first.
  setTimeout(() => void navigator.clipboard.writeText(texts.join('\n')), 50);
}
