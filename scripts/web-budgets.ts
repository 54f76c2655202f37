/**
 * What the web's screens may weigh, in kB gzipped (fonts are compressed already): for the test of
 * the built pages and for `npm run bench -- web`. `results` is what the dashboard has not loaded.
 */
export const webBudgets = {
  landingScripts: 117,
  dashboardScripts: 200,
  resultsScripts: 40,
  styles: 16,
  fonts: 55,
}
