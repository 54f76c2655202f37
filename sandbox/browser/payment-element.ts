// The card form inside the provider's own frame. The merchant's page sees events and results,
// never what was typed.

type FieldName = 'number' | 'expiry' | 'cvc'

type Command =
  | { type: 'init'; key: string; clientSecret: string | undefined; appearance: Appearance }
  | { type: 'appearance'; appearance: Appearance }
  | { type: 'validate'; call: number }
  | { type: 'confirm'; call: number; clientSecret: string; returnUrl: string | undefined }
  | { type: 'focus' | 'blur' | 'clear' }

type Appearance = {
  theme?: string
  variables?: Record<string, string>
  rules?: Record<string, Record<string, string>>
}

const query = new URLSearchParams(location.search)
const channel = query.get('channel') ?? ''
const parentOrigin = query.get('parent') ?? ''
const form = document.querySelector('form') as HTMLFormElement
const rulesSheet = new CSSStyleSheet()
let key = ''
let lastChange = ''

document.adoptedStyleSheets = [...document.adoptedStyleSheets, rulesSheet]

window.addEventListener('message', (event: MessageEvent<{ channel?: string } & Command>) => {
  if (event.source !== window.parent || event.origin !== parentOrigin) return
  if (event.data?.channel !== channel) return
  void obey(event.data)
})

async function obey(command: Command): Promise<void> {
  if (command.type === 'init') {
    key = command.key
    applyAppearance(command.appearance)
    const problem = await findIntentProblem(command.clientSecret)
    send(problem === undefined ? { type: 'ready' } : { type: 'loaderror', error: problem })
    sendSize()
  } else if (command.type === 'appearance') {
    applyAppearance(command.appearance)
  } else if (command.type === 'validate') {
    send({ type: 'reply', call: command.call, result: showProblems() })
  } else if (command.type === 'confirm') {
    const result = showProblems() ?? (await confirmSetup(command.clientSecret, command.returnUrl))
    send({ type: 'reply', call: command.call, result })
  } else if (command.type === 'focus') {
    field('number').focus()
  } else if (command.type === 'blur') {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  } else {
    form.reset()
    sendChange()
  }
}

async function findIntentProblem(clientSecret: string | undefined): Promise<object | undefined> {
  if (clientSecret === undefined) return undefined
  const [id = ''] = clientSecret.split('_secret_')
  const secret = encodeURIComponent(clientSecret)
  const answer = await callApi('GET', `/v1/setup_intents/${id}?client_secret=${secret}`)
  return answer.error
}

async function confirmSetup(clientSecret: string, returnUrl: string | undefined): Promise<object> {
  const [id = ''] = clientSecret.split('_secret_')
  const { month, year } = readExpiry()
  const body = new URLSearchParams({
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': field('number').value.replaceAll(' ', ''),
    'payment_method_data[card][exp_month]': month,
    'payment_method_data[card][exp_year]': year,
    'payment_method_data[card][cvc]': field('cvc').value,
  })
  if (returnUrl !== undefined) body.set('return_url', returnUrl)
  const answer = await callApi('POST', `/v1/setup_intents/${id}/confirm`, body)
  return answer.error === undefined ? { setupIntent: answer.value } : { error: answer.error }
}

async function callApi(
  method: string,
  path: string,
  body?: URLSearchParams,
): Promise<{ value?: object; error?: object }> {
  try {
    const response = await fetch(path, {
      method,
      body,
      headers: { authorization: `Bearer ${key}` },
    })
    const value = (await response.json()) as { error?: object }
    return response.ok ? { value } : { error: value.error ?? { type: 'api_error' } }
  } catch {
    return {
      error: {
        type: 'api_connection_error',
        message: 'We are experiencing issues connecting to our payments provider.',
      },
    }
  }
}

/** Marks each field that is wrong; the first problem is the one that is reported. */
function showProblems(): { error: object } | undefined {
  const problems = findProblems()
  for (const name of ['number', 'expiry', 'cvc'] as const) {
    const input = field(name)
    const message = problems.find((problem) => problem.field === name)?.message ?? ''
    input.setAttribute('aria-invalid', String(message !== ''))
    const note = document.getElementById(`${name}-error`)
    if (note !== null) note.textContent = message
  }
  sendSize()
  const [first] = problems
  if (first === undefined) return undefined
  field(first.field).focus()
  return { error: { type: 'validation_error', code: first.code, message: first.message } }
}

function findProblems(): { field: FieldName; code: string; message: string }[] {
  const problems: { field: FieldName; code: string; message: string }[] = []
  const number = field('number').value.replaceAll(' ', '')
  if (number.length < 12) {
    const message = 'Your card number is incomplete.'
    problems.push({ field: 'number', code: 'incomplete_number', message })
  } else if (!passesLuhn(number)) {
    const message = 'Your card number is invalid.'
    problems.push({ field: 'number', code: 'invalid_number', message })
  }
  const { month, year } = readExpiry()
  const end = new Date(2000 + Number(year), Number(month), 1)
  if (month.length < 2 || year.length < 2) {
    const message = "Your card's expiration date is incomplete."
    problems.push({ field: 'expiry', code: 'incomplete_expiry', message })
  } else if (Number(month) < 1 || Number(month) > 12) {
    const message = "Your card's expiration date is invalid."
    problems.push({ field: 'expiry', code: 'invalid_expiry_month', message })
  } else if (end <= new Date()) {
    const message = "Your card's expiration date is in the past."
    problems.push({ field: 'expiry', code: 'invalid_expiry_year_past', message })
  }
  if (!/^\d{3,4}$/.test(field('cvc').value)) {
    const message = "Your card's security code is incomplete."
    problems.push({ field: 'cvc', code: 'incomplete_cvc', message })
  }
  return problems
}

function readExpiry(): { month: string; year: string } {
  const digits = field('expiry').value.replaceAll(/\D/g, '')
  return { month: digits.slice(0, 2), year: digits.slice(2).slice(-2) }
}

function passesLuhn(number: string): boolean {
  const digits = number.split('').reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

function applyAppearance(appearance: Appearance): void {
  const root = document.documentElement.style
  const isNight = appearance.theme === 'night'
  root.colorScheme = isNight ? 'dark' : 'light'
  const night = {
    colorBackground: '#1b1e24',
    colorText: '#eceef2',
    colorTextSecondary: '#a7afbd',
    colorBorder: '#3a404b',
    colorDanger: '#ff8f85',
    colorPrimary: '#7fb0ff',
  }
  root.cssText = `color-scheme: ${isNight ? 'dark' : 'light'}`
  const variables = { ...(isNight ? night : {}), ...appearance.variables }
  for (const [name, value] of Object.entries(variables)) {
    if (/^[a-zA-Z]+$/.test(name)) root.setProperty(`--${name}`, value)
  }
  rulesSheet.replaceSync('')
  for (const [selector, declarations] of Object.entries(appearance.rules ?? {})) {
    addRule(selector, declarations)
  }
}

/** Only the class names that the provider documents can be styled. */
function addRule(selector: string, declarations: Record<string, string>): void {
  if (!/^\.(Input|Label|Error)(--[a-z]+)?(:{1,2}[a-z-]+)?$/.test(selector)) return
  const index = rulesSheet.insertRule(`body ${selector} {}`, rulesSheet.cssRules.length)
  const rule = rulesSheet.cssRules[index] as CSSStyleRule
  for (const [name, value] of Object.entries(declarations)) {
    const property = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    rule.style.setProperty(property, value)
  }
}

function field(name: FieldName): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement
}

function send(message: object): void {
  window.parent.postMessage({ channel, ...message }, parentOrigin)
}

function sendSize(): void {
  send({ type: 'size', heightPx: Math.ceil(form.getBoundingClientRect().height) + 8 })
}

function sendChange(): void {
  const inputs = (['number', 'expiry', 'cvc'] as const).map((name) => field(name).value)
  const change = {
    empty: inputs.every((value) => value === ''),
    complete: findProblems().length === 0,
  }
  const text = JSON.stringify(change)
  if (text === lastChange) return
  lastChange = text
  send({ type: 'change', ...change })
}

form.addEventListener('input', sendChange)
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('focusin', () => send({ type: 'focus' }))
form.addEventListener('focusout', () => send({ type: 'blur' }))
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') send({ type: 'escape' })
})
new ResizeObserver(sendSize).observe(form)
send({ type: 'loaded' })
