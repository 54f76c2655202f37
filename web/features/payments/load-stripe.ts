/** The provider's browser script, from the address that the service names, once for each page. */
import type { Stripe, StripeConstructor } from '@stripe/stripe-js'

/** Where the provider publishes it; the service names another for its sandbox. */
const usualScript = 'https://js.stripe.com/endive/stripe.js'

let loading: Promise<StripeConstructor> | null = null

export async function loadStripe(config: {
  publishable_key: string
  script_url?: string
}): Promise<Stripe> {
  loading ??= loadScript(config.script_url ?? usualScript)
  try {
    const create = await loading
    return create(config.publishable_key)
  } catch (error) {
    // The next attempt loads the script again.
    loading = null
    throw error
  }
}

function loadScript(address: string): Promise<StripeConstructor> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.addEventListener('load', () => {
      const create = (window as { Stripe?: StripeConstructor }).Stripe
      if (create) resolve(create)
      else reject(new Error('The payment script did not define itself.'))
    })
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error('The payment script could not be loaded.'))
    })
    document.head.append(script)
  })
}
