// Groups the digits while a person types and keeps the button from being pressed twice.

for (const form of document.querySelectorAll<HTMLFormElement>('[data-card-form]')) {
  const number = form.querySelector<HTMLInputElement>('[name=number]')
  const expiry = form.querySelector<HTMLInputElement>('[name=expiry]')
  number?.addEventListener('input', () => {
    const digits = number.value.replaceAll(/\D/g, '').slice(0, 19)
    number.value = digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
  })
  expiry?.addEventListener('input', (event) => {
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete')
    const digits = expiry.value.replaceAll(/\D/g, '').slice(0, 6)
    if (digits.length > 2 || (digits.length === 2 && !isDeleting)) {
      expiry.value = `${digits.slice(0, 2)} / ${digits.slice(2)}`
    }
  })
  form.addEventListener('submit', () => {
    const button = form.querySelector('button')
    if (button === null) return
    button.disabled = true
    button.textContent = 'Processing …'
  })
}
