/** Serves scripts and styles for the browser, with the types stripped at the first request. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { answerText } from './http.ts'
import type { Route } from './http.ts'
import { answerPage, html } from './page.ts'

export function browserRoutes(): Route[] {
  return [
    script('/stripe.js', 'stripe-js'),
    // The address by which the provider's own loader would ask for this release.
    script('/endive/stripe.js', 'stripe-js'),
    script('/payment-element.js', 'payment-element'),
    script('/card-form.js', 'card-form'),
    script('/authentication-done.js', 'authentication-done'),
    style('sandbox.css'),
    style('payment-element.css'),
    ['GET', '/elements/payment', showPaymentElement],
  ]
}

function script(path: string, name: string): Route {
  let source: string | undefined
  const read = (): string => (source ??= withoutTypes(readBrowserFile(`${name}.ts`)))
  return ['GET', path, () => answerText(200, read(), 'text/javascript')]
}

function style(name: string): Route {
  const source = readBrowserFile(name)
  return ['GET', `/${name}`, () => answerText(200, source, 'text/css')]
}

function readBrowserFile(name: string): string {
  return readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8')
}

/** The function is marked experimental; its warning would stand in every start's output. */
function withoutTypes(source: string): string {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

function showPaymentElement() {
  return answerPage(200, {
    title: 'Card details',
    embeddable: true,
    script: '/payment-element.js',
    content: html`<link rel="stylesheet" href="/payment-element.css" />
      <main>
        <h1 class="hidden">Card details</h1>
        <form data-card-form novalidate aria-label="Card details">
          <div class="wide">
            <label class="Label" for="number">Card number</label>
            <input
              class="Input"
              id="number"
              name="number"
              inputmode="numeric"
              autocomplete="cc-number"
              placeholder="1234 1234 1234 1234"
              maxlength="23"
              aria-describedby="number-error"
            />
            <p class="Error" id="number-error" role="alert"></p>
          </div>
          <div>
            <label class="Label" for="expiry">Expiration date</label>
            <input
              class="Input"
              id="expiry"
              name="expiry"
              inputmode="numeric"
              autocomplete="cc-exp"
              placeholder="MM / YY"
              maxlength="9"
              aria-describedby="expiry-error"
            />
            <p class="Error" id="expiry-error" role="alert"></p>
          </div>
          <div>
            <label class="Label" for="cvc">Security code</label>
            <input
              class="Input"
              id="cvc"
              name="cvc"
              inputmode="numeric"
              autocomplete="cc-csc"
              placeholder="CVC"
              maxlength="4"
              aria-describedby="cvc-error"
            />
            <p class="Error" id="cvc-error" role="alert"></p>
          </div>
          <p class="note wide">
            Sandbox: no real money moves. Try 4242&nbsp;4242&nbsp;4242&nbsp;4242.
          </p>
        </form>
      </main>
      <script src="/card-form.js" defer></script>`,
  })
}
