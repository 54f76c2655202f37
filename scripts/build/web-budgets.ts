/**
 * Limits of the web's screens, in kB gzipped (fonts are compressed already): for the test of
 * the built pages and for `npm run bench -- web`. `results` and `library` are what the dashboard
 * has not loaded.
 */
export const webBudgets = {
  // The calculator and the list of extractors know a seventh: on-screen text. Texts that are copied
  // may be made at that moment. Options of a job are described once, for the command line too.
  // The bar of every screen opens search and activity.
  landingScripts: 122.5,
  // Uploads of files and whole folders go on beside every screen, and start again by themselves.
  dashboardScripts: 208,
  // Corrections of words, speakers and shots, and the lists of talk and on-screen text, earned ten.
  resultsScripts: 50,
  libraryScripts: 40,
  // One file for all screens: library, corrections, cuts and webhooks add two, syncs one; the page
  // of a clip, activity and bins one.
  styles: 20.2,
  fonts: 55,
}
