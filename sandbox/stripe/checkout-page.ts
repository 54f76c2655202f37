/** The hosted payment page and the bank's authentication page. */
import { answerRedirect, parseFields } from '../http.ts'
import type { Answer, Request, Route } from '../http.ts'
import { cardField } from '../card-field.ts'
import { answerPage, banner, html } from '../page.ts'
import type { Html } from '../page.ts'
import { testCards } from './cards.ts'
import { completeSession, findSession, paySession, successUrlOf } from './checkout.ts'
import { ApiError } from './errors.ts'
import type { CheckoutSession, PaymentIntent, Provider, SetupIntent } from './objects.ts'
import { confirmIntent, failAuthentication } from './payment-intents.ts'
import { authenticateSetup } from './setup-intents.ts'

export function checkoutPageRoutes(provider: Provider): Route[] {
  return [
    ['GET', '/c/pay/:id', ({ path }) => withSession(provider, path, showForm)],
    [
      'POST',
      '/c/pay/:id',
      ({ path, body }) =>
        withSession(provider, path, (_provider, session) =>
          submitForm(provider, session, parseFields(body)),
        ),
    ],
    ['GET', '/authenticate/:id', (request) => authenticate(provider, request)],
    ['POST', '/authenticate/:id', (request) => authenticate(provider, request)],
    ['GET', '/receipts/:id', ({ path }) => showReceipt(provider, path['id'] ?? '')],
  ]
}

function withSession(
  provider: Provider,
  path: Record<string, string>,
  handle: (provider: Provider, session: CheckoutSession) => Answer,
): Answer {
  const id = path['id'] ?? ''
  if (provider.store.get('checkout_session', id) === undefined) return notFound()
  const session = findSession(provider, id)
  if (session.status === 'complete') return answerRedirect(successUrlOf(session))
  if (session.status === 'open') return handle(provider, session)
  return answerPage(410, {
    title: 'Checkout expired',
    content: html`${banner}
      <main class="card">
        <h1>This checkout has expired</h1>
        <p>Nothing was charged. Go back to the shop and start again.</p>
        ${
          session.cancel_url === null
            ? undefined
            : html`<p><a class="button" href="${session.cancel_url}">Back to the shop</a></p>`
        }
      </main>`,
  })
}

function submitForm(
  provider: Provider,
  session: CheckoutSession,
  fields: Record<string, string>,
): Answer {
  const [expMonth = '', expYear = ''] = (fields['expiry'] ?? '')
    .split('/')
    .map((part) => part.trim())
  try {
    const intent = paySession(provider, session, {
      number: fields['number'] ?? '',
      expMonth,
      expYear,
      cvc: fields['cvc'] ?? '',
      name: fields['name'] || undefined,
      email: fields['email'] || undefined,
    })
    if (intent.status === 'requires_action') {
      const secret = encodeURIComponent(intent.client_secret)
      return answerRedirect(`/authenticate/${intent.id}?client_secret=${secret}`)
    }
    return answerRedirect(successUrlOf(session))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The typed number is not written back into the page.
    return showForm(provider, session, { message: error.message, fields })
  }
}

function showForm(
  provider: Provider,
  session: CheckoutSession,
  failed?: { message: string; fields: Record<string, string> },
): Answer {
  const items = provider.store.get('checkout_secret', session.id)?.items ?? []
  const customer =
    session.customer === null ? undefined : provider.store.get('customer', session.customer)
  const email = failed?.fields['email'] ?? customer?.email ?? session.customer_email ?? ''
  const total = formatAmount(session.amount_total, session.currency)
  return answerPage(failed === undefined ? 200 : 402, {
    title: `Pay ${total}`,
    script: '/card-form.js',
    content: html`${banner}
      <main class="checkout">
        <section aria-labelledby="summary" class="summary">
          ${
            session.cancel_url === null
              ? undefined
              : html`<a class="back" href="${session.cancel_url}"
                  ><span aria-hidden="true">←</span> Cancel and go back</a
                >`
          }
          <h1 id="summary">Pay <span class="amount">${total}</span></h1>
          <ul class="items">
            ${items.map(
              (item) =>
                html`<li>
                  <span>${item.description}${item.quantity > 1 ? ` × ${item.quantity}` : ''}</span>
                  <span>${formatAmount(item.amount_total, item.currency)}</span>
                </li>`,
            )}
          </ul>
          <p class="total"><span>Total due today</span><span>${total}</span></p>
        </section>
        <form method="post" class="card" data-card-form>
          <h2>Pay with card</h2>
          <p role="alert" class="error">${failed?.message}</p>
          <label for="email">E-mail</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="email"
            value="${email}"
            required
          />
          ${cardFields(failed?.fields['expiry'] ?? '')}
          <label for="name">Name on card</label>
          <input
            id="name"
            name="name"
            autocomplete="cc-name"
            value="${failed?.fields['name'] ?? ''}"
            required
          />
          <button type="submit">Pay ${total}</button>
        </form>
        ${cardTable()}
      </main>`,
  })
}

function cardFields(expiry: string): Html {
  const required = html`required`
  return html`${cardField('number', '4242 4242 4242 4242', required)}
    <div class="pair">
      <div>${cardField('expiry', 'MM / YY', html`value="${expiry}" required`)}</div>
      <div>${cardField('cvc', 'CVC', required)}</div>
    </div>`
}

function cardTable(): Html {
  const rows = Object.entries(testCards).map(
    ([number, card]) =>
      html`<tr>
        <td><code>${number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</code></td>
        <td>${card.name}</td>
      </tr>`,
  )
  return html`<details class="cards">
    <summary>Test cards (any future date, any security code)</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col">What happens</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </details>`
}

/** Shows the bank's question for an intent that waits for it, or ends it with the answer. */
function authenticate(provider: Provider, { method, path, url, body }: Request): Answer {
  const id = path['id'] ?? ''
  const intent = provider.store.get('payment_intent', id) ?? provider.store.get('setup_intent', id)
  const isWaiting =
    intent?.status === 'requires_action' &&
    intent.client_secret === url.searchParams.get('client_secret')
  if (!isWaiting) return notFound()
  if (method !== 'POST') return showAuthentication(url)
  return endAuthentication(provider, intent, parseFields(body)['answer'] === 'complete')
}

function showAuthentication(url: URL): Answer {
  return answerPage(200, {
    title: 'Authentication',
    embeddable: true,
    content: html`${banner}
      <main class="card">
        <h1>Your bank asks: is it you?</h1>
        <p>A real bank would send a code to your phone. Here you choose what happens.</p>
        <form method="post" action="${url.pathname}${url.search}" class="choices">
          <button name="answer" value="complete">Complete authentication</button>
          <button name="answer" value="fail" class="quiet">Fail authentication</button>
        </form>
      </main>`,
  })
}

function endAuthentication(
  provider: Provider,
  intent: PaymentIntent | SetupIntent,
  hasPassed: boolean,
): Answer {
  const returnUrl = intent.next_action?.redirect_to_url?.return_url
  if (intent.object === 'setup_intent') {
    authenticateSetup(provider, intent, hasPassed)
    return afterAuthentication(intent, hasPassed, returnUrl)
  }
  const session = provider.store
    .rows('checkout_session')
    .find((row) => row.payment_intent === intent.id)
  try {
    if (!hasPassed) throw failAuthentication(provider, intent)
    confirmIntent(provider, intent, { authenticated: true })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (session !== undefined) {
      return showForm(provider, findSession(provider, session.id), {
        message: error.message,
        fields: {},
      })
    }
    return afterAuthentication(intent, false, returnUrl)
  }
  if (session === undefined) return afterAuthentication(intent, true, returnUrl)
  return answerRedirect(successUrlOf(completeSession(provider, session.id)))
}

/** Inside the provider's frame the script reports the end; elsewhere the browser goes back. */
function afterAuthentication(
  intent: PaymentIntent | SetupIntent,
  hasPassed: boolean,
  returnUrl: string | null | undefined,
): Answer {
  if (returnUrl) {
    const url = new URL(returnUrl)
    url.searchParams.set(intent.object, intent.id)
    url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret)
    url.searchParams.set('redirect_status', hasPassed ? 'succeeded' : 'failed')
    return answerRedirect(url.href)
  }
  return answerPage(200, {
    title: 'Done',
    embeddable: true,
    script: '/authentication-done.js',
    content: html`<main class="card"><p role="status">Done. One moment …</p></main>`,
  })
}

function showReceipt(provider: Provider, id: string): Answer {
  const charge = provider.store.get('charge', id)
  if (charge === undefined || !charge.paid) return notFound()
  return answerPage(200, {
    title: 'Receipt',
    content: html`${banner}
      <main class="card">
        <h1>Receipt</h1>
        <p>
          ${formatAmount(charge.amount, charge.currency)} paid with
          ${charge.payment_method_details.card.brand ?? 'a card'} ending in
          ${charge.payment_method_details.card.last4 ?? ''} on
          ${new Date(charge.created * 1000).toISOString().slice(0, 10)}.
        </p>
        <p>${charge.description ?? ''}</p>
      </main>`,
  })
}

function notFound(): Answer {
  return answerPage(404, {
    title: 'Not found',
    content: html`${banner}
      <main class="card">
        <h1>Nothing here</h1>
        <p>This payment page does not exist, or it is already finished.</p>
      </main>`,
  })
}

function formatAmount(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
  }).format(amount / 100)
}
