// Runs before the first paint: sets the stored theme and colour preset on the document, so that no
// page flashes in the wrong colours. web/theme.ts keeps them up to date afterwards.
;(function () {
  var root = document.documentElement
  var theme = null
  var preset = null
  try {
    theme = localStorage.getItem('theme')
    preset = localStorage.getItem('colour-preset')
    if (!preset) localStorage.setItem('colour-preset', 'ocean')
  } catch {
    // Storage is off: the defaults apply.
  }
  var dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'dark' : 'light'
  root.dataset.preset = /^(default|ocean|forest|sunset)$/.test(preset || '') ? preset : 'ocean'
})()
