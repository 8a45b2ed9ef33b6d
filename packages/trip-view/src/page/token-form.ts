import { h } from './element.js';

/** Asks for an access token. It is kept in memory alone: not in the address, not in storage. */
export function tokenForm(submitted: (token: string) => void): HTMLElement {
  const input = h('input', { type: 'password', id: 'token', autocomplete: 'off', required: true });
  const form = h(
    'form',
    { class: 'message' },
    h('label', { for: 'token' }, 'Access token (kept in memory only) '),
    input,
    h('button', {}, 'Read trips'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submitted(input.value.trim());
  });
  return form;
}
