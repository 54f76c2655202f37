/** Serves scripts and styles for the browser, with the types stripped at the first request. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { answerText } from './http.ts'
import type { Route } from './http.ts'
import { cardField } from './card-field.ts'
import { answerPage, html } from './page.ts'
import type { Html } from './page.ts'

export function browserRoutes(): Route[] {
  const stripeJs = new URL('./browser/stripe-js.ts', import.meta.url)
  return [
    script('/stripe.js', stripeJs),
    // The address by which the provider's own loader would ask for this release.
    script('/endive/stripe.js', stripeJs),
    script('/payment-element.js', new URL('./browser/payment-element.ts', import.meta.url)),
    script('/card-form.js', new URL('./browser/card-form.ts', import.meta.url)),
    script('/authentication-done.js', new URL('./browser/authentication-done.ts', import.meta.url)),
    style('/sandbox.css', new URL('./browser/sandbox.css', import.meta.url)),
    style('/payment-element.css', new URL('./browser/payment-element.css', import.meta.url)),
    ['GET', '/elements/payment', showPaymentElement],
  ]
}

function script(path: string, file: URL): Route {
  let source: string | undefined
  const read = (): string => (source ??= withoutTypes(readFileSync(file, 'utf8')))
  return ['GET', path, () => answerText(200, read(), 'text/javascript')]
}

function style(path: string, file: URL): Route {
  const source = readFileSync(file, 'utf8')
  return ['GET', path, () => answerText(200, source, 'text/css')]
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
          <div class="wide">${checkedField('number', '1234 1234 1234 1234')}</div>
          <div>${checkedField('expiry', 'MM / YY')}</div>
          <div>${checkedField('cvc', 'CVC')}</div>
          <p class="note wide">
            Sandbox: no real money moves. Try 4242&nbsp;4242&nbsp;4242&nbsp;4242.
          </p>
        </form>
      </main>
      <script src="/card-form.js" defer></script>`,
  })
}

/** A field with the place of its error. */
function checkedField(name: 'number' | 'expiry' | 'cvc', placeholder: string): Html {
  const described = html`aria-describedby="${name}-error"`
  return html`${cardField(name, placeholder, described)}
    <p class="Error" id="${name}-error" role="alert"></p>`
}
