/** A merchant's page as the real React package wants it, bundled by the browser test. */
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

const query = new URLSearchParams(location.search)

function CardForm() {
  const stripe = useStripe()
  const elements = useElements()
  const [log, setLog] = useState<string[]>([])
  const add = (line: string) => setLog((lines) => [...lines, line])

  async function save(): Promise<void> {
    if (stripe === null || elements === null) return
    const submitted = await elements.submit()
    if (submitted.error !== undefined) {
      add(`submit:${submitted.error.code}`)
      return
    }
    const result = await stripe.confirmSetup({
      elements,
      redirect: 'if_required',
      confirmParams: { return_url: location.href },
    })
    add(
      result.error === undefined
        ? `confirmed:${result.setupIntent.status}`
        : `error:${result.error.code}:${result.error.message}`,
    )
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <PaymentElement
        onReady={() => add('ready')}
        onChange={(event) => add(`change:${event.complete}`)}
        onLoadError={(event) => add(`loaderror:${event.error.code}`)}
      />
      <button>Save</button>
      <output>{log.join(' ')}</output>
    </form>
  )
}

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <StrictMode>
    <Elements
      stripe={loadStripe('pk_test_sandbox')}
      options={{
        clientSecret: query.get('secret') ?? '',
        appearance: { theme: 'night', variables: { colorPrimary: '#ff8800' } },
      }}
    >
      <CardForm />
    </Elements>
  </StrictMode>,
)
