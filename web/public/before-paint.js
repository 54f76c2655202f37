// Runs before the first paint, so that no page flashes what it is not. Sets the stored theme and
// colour preset (web/dom/theme.ts keeps them up to date), says whether a session is stored, and sends a sign-in provider's answer, which
// arrives at the landing page, on to the screen that deals with it.
;(function () {
  var root = document.documentElement
  var theme = null
  var preset = null
  try {
    theme = localStorage.getItem('theme')
    preset = localStorage.getItem('colour-preset')
    if (!preset) localStorage.setItem('colour-preset', 'ocean')
    if (localStorage.getItem('token')) root.dataset.session = 'stored'
  } catch {
    // Storage is off: the defaults apply.
  }
  var dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'dark' : 'light'
  root.dataset.preset = /^(default|ocean|forest|sunset)$/.test(preset || '') ? preset : 'ocean'

  var query = new URLSearchParams(location.search)
  if (location.pathname === '/' && query.has('token') && query.has('provider')) {
    root.hidden = true
    location.replace('/oauth/callback' + location.search)
  }
})()
