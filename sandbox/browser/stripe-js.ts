// The stand-in for the provider's browser script: `window.Stripe` as far as the card form needs
// it. It draws frames of the provider's origin and passes messages; no card number comes here.

type Handler = (event: object) => void
type Options = Record<string, unknown>
type Result = { setupIntent?: Intent; error?: Options }
type Intent = {
  id: string
  client_secret: string
  status: string
  next_action: { use_stripe_sdk?: { stripe_js: string } } | null
  last_setup_error: Options | null
}
type PaymentElement = ReturnType<typeof createPaymentElement>

;(() => {
  const source = document.currentScript
  if (!(source instanceof HTMLScriptElement)) throw new Error('Load this script by its address.')
  const origin = new URL(source.src).origin

  function Stripe(key: unknown) {
    if (typeof key !== 'string' || !key.startsWith('pk_')) {
      throw new Error('Please call Stripe() with your publishable key. You used something else.')
    }
    return {
      elements: (options: Options = {}) => createElements(origin, key, options),
      confirmSetup: (options: Options) => confirmSetup(origin, key, options),
      retrieveSetupIntent: (secret: string) => retrieveSetupIntent(origin, key, secret),
      createToken: () => notOffered('createToken'),
      createPaymentMethod: () => notOffered('createPaymentMethod'),
      confirmPayment: () => notOffered('confirmPayment'),
      confirmCardPayment: () => notOffered('confirmCardPayment'),
      registerAppInfo: () => undefined,
      _registerWrapper: () => undefined,
    }
  }
  Stripe.version = 'endive'
  Object.assign(window, { Stripe })
})()

function createElements(origin: string, key: string, options: Options) {
  const current = { ...options }
  let payment: PaymentElement | undefined
  return {
    create(type: string, elementOptions: Options = {}) {
      if (type !== 'payment') throw new Error(`The sandbox has no ${type} element.`)
      if (payment !== undefined) {
        throw new Error("Can only create one Element of type 'payment' for this group.")
      }
      payment = createPaymentElement({ origin, key, group: current, elementOptions }, () => {
        payment = undefined
      })
      return payment
    },
    getElement: (type: unknown) => (type === 'payment' ? (payment ?? null) : null),
    update(changes: Options) {
      Object.assign(current, changes)
      payment?.sendAppearance()
    },
    fetchUpdates: () => Promise.resolve({}),
    async submit() {
      if (payment === undefined) throw new Error('elements.submit() needs a mounted element.')
      return (await payment.ask('validate')) ?? { selectedPaymentMethod: 'card' }
    },
    /** For confirmSetup only. */
    sandbox: { element: () => payment, options: current },
  }
}

function createPaymentElement(
  setup: { origin: string; key: string; group: Options; elementOptions: Options },
  onDestroy: () => void,
) {
  const channel = crypto.randomUUID()
  const handlers = new Map<string, Set<Handler>>()
  const replies = new Map<number, (result: Result | undefined) => void>()
  let frame: HTMLIFrameElement | undefined
  let loadTimer = 0
  let callCount = 0

  function emit(type: string, more: object = {}): void {
    for (const handler of [...(handlers.get(type) ?? [])]) {
      handler({ elementType: 'payment', ...more })
    }
  }

  function post(message: object): void {
    frame?.contentWindow?.postMessage({ channel, ...message }, setup.origin)
  }

  function receive(event: MessageEvent): void {
    if (event.origin !== setup.origin || event.source !== frame?.contentWindow) return
    const message = event.data as { channel?: string; type?: string } & Options
    if (message.channel !== channel) return
    if (message.type === 'loaded') {
      post({
        type: 'init',
        key: setup.key,
        clientSecret: setup.group['clientSecret'],
        appearance: plain(setup.group['appearance']),
      })
    } else if (message.type === 'ready') {
      clearTimeout(loadTimer)
      if (frame !== undefined) frame.style.opacity = '1'
      emit('ready')
    } else if (message.type === 'loaderror') {
      clearTimeout(loadTimer)
      emit('loaderror', { error: message['error'] })
    } else if (message.type === 'size') {
      if (frame !== undefined) frame.style.height = `${Number(message['heightPx'])}px`
    } else if (message.type === 'change') {
      const { empty, complete } = message
      emit('change', { empty, complete, collapsed: false, value: { type: 'card' } })
    } else if (message.type === 'reply') {
      const call = Number(message['call'])
      replies.get(call)?.(message['result'] as Result | undefined)
      replies.delete(call)
    } else if (message.type !== undefined) {
      emit(message.type)
    }
  }

  const element = {
    mount(target: string | HTMLElement) {
      const parent = typeof target === 'string' ? document.querySelector(target) : target
      if (parent === null) throw new Error('The selector you specified applies to no element.')
      element.unmount()
      frame = createFrame(setup.origin, channel, setup.group)
      window.addEventListener('message', receive)
      parent.replaceChildren(frame)
      emit('loaderstart')
      loadTimer = window.setTimeout(() => {
        const message = 'The payment form did not load in time.'
        emit('loaderror', { error: { type: 'api_connection_error', message } })
      }, 15_000)
    },
    unmount() {
      clearTimeout(loadTimer)
      window.removeEventListener('message', receive)
      frame?.remove()
      frame = undefined
      for (const reply of replies.values()) {
        reply({ error: { type: 'validation_error', message: 'The payment form was closed.' } })
      }
      replies.clear()
    },
    destroy() {
      element.unmount()
      handlers.clear()
      onDestroy()
    },
    update(options: Options) {
      Object.assign(setup.elementOptions, options)
      return element
    },
    on(type: string, handler: Handler) {
      handlers.set(type, (handlers.get(type) ?? new Set()).add(handler))
      return element
    },
    once(type: string, handler: Handler) {
      const onceHandler: Handler = (event) => {
        handlers.get(type)?.delete(onceHandler)
        handler(event)
      }
      return element.on(type, onceHandler)
    },
    off(type: string, handler?: Handler) {
      if (handler === undefined) handlers.delete(type)
      else handlers.get(type)?.delete(handler)
      return element
    },
    focus: () => post({ type: 'focus' }),
    blur: () => post({ type: 'blur' }),
    clear: () => post({ type: 'clear' }),
    collapse: () => element,
    sendAppearance() {
      const appearance = plain(setup.group['appearance'])
      if (frame !== undefined) frame.style.colorScheme = colorScheme(setup.group)
      post({ type: 'appearance', appearance })
    },
    /** Asks the frame and waits for its reply. */
    ask(type: 'validate' | 'confirm', more: object = {}): Promise<Result | undefined> {
      if (frame === undefined) {
        throw new Error('We could not retrieve data from the specified Element: mount it first.')
      }
      callCount += 1
      const call = callCount
      return new Promise((resolve) => {
        replies.set(call, resolve)
        post({ type, call, ...more })
      })
    },
  }
  return element
}

async function confirmSetup(origin: string, key: string, options: Options): Promise<Result> {
  const elements = options['elements'] as ReturnType<typeof createElements> | undefined
  const element = elements?.sandbox.element()
  const secret = options['clientSecret'] ?? elements?.sandbox.options['clientSecret']
  const params = (options['confirmParams'] ?? {}) as Options
  const returnUrl = params['return_url'] as string | undefined
  const mayRedirect = options['redirect'] !== 'if_required'
  if (element === undefined || typeof secret !== 'string') {
    throw new Error('confirmSetup needs an elements group with a mounted element, and its secret.')
  }
  if (mayRedirect && returnUrl === undefined) {
    throw new Error('confirmSetup needs confirmParams.return_url unless redirect is if_required.')
  }
  const result = (await element.ask('confirm', { clientSecret: secret })) ?? {}
  const url = result.setupIntent?.next_action?.use_stripe_sdk?.stripe_js
  const final =
    result.setupIntent?.status === 'requires_action' && url !== undefined
      ? await authenticate(origin, key, secret, url)
      : result
  if (final.setupIntent === undefined || !mayRedirect || returnUrl === undefined) return final
  const target = new URL(returnUrl)
  target.searchParams.set('setup_intent', final.setupIntent.id)
  target.searchParams.set('setup_intent_client_secret', secret)
  target.searchParams.set('redirect_status', 'succeeded')
  location.assign(target)
  return await new Promise<never>(() => {})
}

/** Shows the bank's page in a dialog and asks afterwards what came of it. */
async function authenticate(
  origin: string,
  key: string,
  secret: string,
  url: string,
): Promise<Result> {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Card authentication')
  dialog.style.cssText = 'padding: 0; border: 0; border-radius: 12px; width: min(480px, 94vw)'
  const frame = document.createElement('iframe')
  frame.src = url
  frame.title = 'Card authentication'
  frame.style.cssText = 'display: block; width: 100%; height: 420px; border: 0'
  dialog.append(frame)
  document.body.append(dialog)
  dialog.showModal()
  await new Promise<void>((resolve) => {
    dialog.addEventListener('close', () => resolve())
    window.addEventListener('message', function onMessage(event) {
      if (event.origin !== origin || event.source !== frame.contentWindow) return
      if ((event.data as Options)?.['sandboxAuthentication'] !== 'done') return
      window.removeEventListener('message', onMessage)
      resolve()
    })
  })
  dialog.remove()
  const result = await retrieveSetupIntent(origin, key, secret)
  if (result.setupIntent?.status === 'succeeded') return result
  const error = result.setupIntent?.last_setup_error ?? {
    type: 'card_error',
    code: 'setup_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose another one.',
  }
  return { error: { ...error, setup_intent: result.setupIntent } }
}

async function retrieveSetupIntent(origin: string, key: string, secret: string): Promise<Result> {
  const [id = ''] = secret.split('_secret_')
  const query = new URLSearchParams({ client_secret: secret, key })
  try {
    const response = await fetch(`${origin}/v1/setup_intents/${id}?${query}`)
    const value = (await response.json()) as Intent & { error?: Options }
    return response.ok ? { setupIntent: value } : { error: value.error ?? {} }
  } catch {
    return {
      error: {
        type: 'api_connection_error',
        message: 'We are experiencing issues connecting to our payments provider.',
      },
    }
  }
}

function createFrame(origin: string, channel: string, group: Options): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  const query = new URLSearchParams({ channel, parent: location.origin })
  frame.src = `${origin}/elements/payment?${query}`
  frame.title = 'Secure payment input frame'
  frame.allow = 'payment'
  frame.style.cssText =
    'display: block; width: 100%; height: 180px; border: 0; opacity: 0; background: transparent'
  // A frame whose colour scheme differs from its element's gets an opaque ground.
  frame.style.colorScheme = colorScheme(group)
  return frame
}

function colorScheme(group: Options): string {
  return (group['appearance'] as Options | undefined)?.['theme'] === 'night' ? 'dark' : 'light'
}

/** Leaves plain data, which alone crosses to the frame. */
function plain(value: unknown): object {
  return JSON.parse(JSON.stringify(value ?? {})) as object
}

function notOffered(name: string): Promise<Result> {
  const message = `The sandbox does not offer ${name}.`
  return Promise.resolve({ error: { type: 'invalid_request_error', message } })
}
