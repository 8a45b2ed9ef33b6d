// What Redoc does not bring: short addresses, and a button that copies a code block of a guide. Runs before Redoc does.
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
    for (const block of document.querySelectorAll(blocks)) addButton(block);
    for (const element of document.querySelectorAll(wide)) element.tabIndex = 0;
  }).observe(document, { childList: true, subtree: true });
})();
