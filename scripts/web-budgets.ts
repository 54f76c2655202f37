/**
 * What the web's screens may weigh, in kB gzipped (fonts are compressed already): for the test of
 * the built pages and for `npm run bench -- web`. `results` and `library` are what the dashboard has
 * not loaded.
 */
export const webBudgets = {
  // The calculator and the list of extractors know a seventh: on-screen text.
  landingScripts: 119,
  dashboardScripts: 200,
  resultsScripts: 40,
  libraryScripts: 40,
  // One file for all screens: the library, corrections, cuts and webhooks earned two more, syncs one.
  styles: 19,
  fonts: 55,
}
