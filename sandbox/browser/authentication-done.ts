// Tells the page that opened the bank's frame that the person has answered. It carries no data:
// the page asks the provider what came of it.

window.parent.postMessage({ sandboxAuthentication: 'done' }, '*')
