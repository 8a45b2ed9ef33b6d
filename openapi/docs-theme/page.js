// What Redoc does not bring: short addresses, and for code blocks of guides colours and a button that copies. Runs before Redoc does.
(() => {
  // Short addresses do not depend on where a heading stands: #error-4002, #getLocation, #guide-errors. Filled in by the build.
  const targets = JSON.parse('{}');
  const follow = () => {
    const target = targets[decodeURIComponent(location.hash.slice(1))];
    if (target !== undefined) history.replaceState(history.state, '', `#${target}`);
    return target !== undefined;
  };
  follow();
  addEventListener(
    'hashchange',
    (event) => {
      if (!follow()) return;
      event.stopImmediatePropagation();
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    },
    true,
  );

  // Coloured words of each code block, by its text. Filled in by the build.
  const words = JSON.parse('[]');
  const colour = (block) => {
    const text = block.firstChild;
    // Words get colours without a change of the document, which is Redoc's. https://www.w3.org/TR/css-highlight-api-1/
    if (!globalThis.CSS?.highlights || text?.nodeType !== Node.TEXT_NODE) return;
    for (const [kind, startOffset, endOffset] of words[text.data.trimEnd()] ?? []) {
      const name = `vds-${kind}`;
      if (!CSS.highlights.has(name)) CSS.highlights.set(name, new Highlight());
      CSS.highlights
        .get(name)
        .add(new StaticRange({ startContainer: text, startOffset, endContainer: text, endOffset }));
    }
  };

  const addButton = (block) => {
    // The text is read before the button becomes a part of it.
    const text = block.textContent;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'vds-copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text.trimEnd());
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
    block.tabIndex = 0;
    block.append(button);
  };
  // What scrolls sideways must be reachable by keyboard.
  const wide = '.md-table-wrapper:not([tabindex]), figure.vds-figure:not([tabindex])';
  const blocks = '[data-component-name="Markdown/Markdown"] pre:not(:has(> .vds-copy))';
  new MutationObserver(() => {
    // Redoc lowers the case of attribute names in Markdown, and a drawing scales by its viewBox alone.
    for (const drawing of document.querySelectorAll('figure > svg'))
      if (!drawing.hasAttribute('viewBox')) drawing.setAttribute('viewBox', drawing.getAttribute('viewbox'));
    for (const block of document.querySelectorAll(blocks)) {
      colour(block);
      addButton(block);
    }
    for (const element of document.querySelectorAll(wide)) element.tabIndex = 0;
  }).observe(document, { childList: true, subtree: true });
})();
