/** The fields of a card, on the hosted page and in the frame of the payment element. */
import { html } from './page.ts'
import type { Html } from './page.ts'

const fields = {
  number: { label: 'Card number', autocomplete: 'cc-number', maxLength: 23 },
  expiry: { label: 'Expiration date', autocomplete: 'cc-exp', maxLength: 9 },
  cvc: { label: 'Security code', autocomplete: 'cc-csc', maxLength: 4 },
}

/** `rest`: attributes of the page's own. */
export function cardField(name: keyof typeof fields, placeholder: string, rest: Html): Html {
  const { label, autocomplete, maxLength } = fields[name]
  return html`<label class="Label" for="${name}">${label}</label>
    <input
      class="Input"
      id="${name}"
      name="${name}"
      inputmode="numeric"
      autocomplete="${autocomplete}"
      placeholder="${placeholder}"
      maxlength="${maxLength}"
      ${rest}
    />`
}
