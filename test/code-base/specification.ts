/**
 * The list the product is accepted by: every statement of sections 2 to 9 of the specification, in
 * our words (texts of the screen to the letter), with the test that proves it. The test beside this
 * file fails when a row names a test that does not exist.
 */
export interface Statement {
  section: string
  says: string
  /** A test file and a test's name in it. */
  provenBy: readonly [file: string, test: string]
}

const dashboard = 'test/browser/dashboard.test.ts'
const dashboardDialogs = 'test/browser/dashboard-dialogs.test.ts'
const profile = 'test/browser/profile.test.ts'
const profileCards = 'test/browser/profile-cards.test.ts'
const timings = 'test/browser/timings.test.ts'
const shell = 'test/browser/shell.test.ts'
const signIn = 'test/browser/sign-in.test.ts'
const landing = 'test/browser/landing.test.ts'
const paymentReturn = 'test/browser/payment-return.test.ts'
const money = 'test/browser/money.test.ts'
const content = 'test/browser/content.test.ts'
const publicPages = 'test/browser/public-pages.test.ts'
const contract = 'contract/api.test.ts'
const catalogue = 'contract/catalogue.test.ts'
const apiAddress = 'web/app/api-address.test.ts'
const presets = 'web/app/presets.test.ts'
const house = 'test/journeys/house.test.ts'
const accounts = 'test/journeys/accounts.test.ts'
const billing = 'test/journeys/billing.test.ts'
const fileSize = 'web/app/file-size.test.ts'
const amounts = 'contract/money.test.ts'
const docsSnippets = 'test/journeys/docs-snippets.test.ts'

export const specification: readonly Statement[] = [
  ...section('2 Global', [
    [
      'Logged out, the bar has Pricing, Calculator, Developer Docs',
      shell,
      'the bar of an anonymous visitor has Pricing, Calculator and Developer Docs',
    ],
    [
      'Logged in on dashboard, profile or jobs, the bar has Dashboard, Profile, API Docs',
      shell,
      'the bar of a user on dashboard, profile and jobs has Dashboard, Profile and API Docs',
    ],
    [
      'The theme is toggled, stored locally, and follows the system by default',
      shell,
      'the theme follows the system until one is chosen, and the choice is kept',
    ],
    [
      'The user menu has Dashboard, Profile, API Keys, Logout',
      shell,
      'the user menu has Dashboard, Profile, API Keys and Logout, and logs out',
    ],
    [
      'The avatar shows the profile picture',
      profile,
      'the header has picture, name, e-mail, year, balance and Buy Credits',
    ],
    [
      'The avatar falls back to the initial letter',
      shell,
      'an avatar without a picture shows the initial letter',
    ],
    [
      'Login and Sign Up open modals on the landing page',
      shell,
      'Login and Sign Up open modals on the landing page and lead to them from elsewhere',
    ],
    [
      'Elsewhere Login goes to /dashboard and Sign Up to /',
      shell,
      'Login and Sign Up open modals on the landing page and lead to them from elsewhere',
    ],
    [
      'Every route change is reported to analytics as a page view',
      shell,
      'every route change is reported as a page view',
    ],
    [
      'The colour preset is ocean at the start',
      shell,
      'the colour preset is ocean at the start and a chosen one is kept',
    ],
    [
      'The presets are default, ocean, forest, sunset',
      shell,
      'the colour preset is ocean at the start and a chosen one is kept',
    ],
    [
      'The preset default has primary, secondary, tertiary and accent scales',
      presets,
      'the preset default has primary, secondary, tertiary and accent scales',
    ],
    [
      'The preset ocean has primary, secondary, tertiary and accent scales',
      presets,
      'the preset ocean has primary, secondary, tertiary and accent scales',
    ],
    [
      'The preset forest has primary, secondary, tertiary and accent scales',
      presets,
      'the preset forest has primary, secondary, tertiary and accent scales',
    ],
    [
      'The preset sunset has primary, secondary, tertiary and accent scales',
      presets,
      'the preset sunset has primary, secondary, tertiary and accent scales',
    ],
    [
      'The choice of a preset is kept in local storage under a colour-preset key',
      shell,
      'the colour preset is ocean at the start and a chosen one is kept',
    ],
    [
      'Toasts of type success',
      profile,
      'security: deletion is coming soon, keys are managed here, End Session logs out',
    ],
    [
      'Toasts of type error',
      dashboard,
      'what cannot be loaded is told once, and the lists stand empty',
    ],
    ['Toasts of type info', dashboard, 'Analytics is coming soon'],
    ['Toasts of type warning', content, 'a duplicate is told as a warning'],
    [
      'A toast vanishes after 4 seconds',
      timings,
      'a toast stands 4 seconds, not a millisecond less or more',
    ],
  ]),
  ...section('2 Routes', [
    [
      '/ has hero, problem, three steps, features, testimonials, calculator, packages and a final call to action',
      landing,
      'the landing page has every section, in order',
    ],
    [
      '/ opens the login and signup modals',
      shell,
      'Login and Sign Up open modals on the landing page and lead to them from elsewhere',
    ],
    [
      '/ with token and provider (and e-mail) leads to /oauth/callback with the same parameters',
      signIn,
      'the landing page sends a provider answer on to the callback with the same parameters',
    ],
    [
      '/#pricing and /#calculator are anchors',
      landing,
      'the anchors #pricing, #calculator and #docs lead to their sections',
    ],
    [
      '/oauth/callback completes a login',
      signIn,
      'a person signs in with GitHub and comes to the dashboard',
    ],
    ['/dashboard.html is the dashboard', dashboard, '/dashboard.html is the same screen'],
    [
      '/dashboard needs a login, else /',
      shell,
      'an anonymous visitor of /dashboard comes to / with the login modal open',
    ],
    [
      '/profile.html is the profile',
      profile,
      'without an answer the member year is 2025, the name is the username, and the failure is told',
    ],
    [
      '/profile needs a login, else /',
      shell,
      'an anonymous visitor of /profile comes to / with the login modal open',
    ],
    [
      '/profile/payment-methods is replaced by /profile#paymentmethods',
      profileCards,
      '/profile/payment-methods is replaced by the section of cards',
    ],
    [
      '/profile/payment-methods is where a confirmed card setup returns to',
      money,
      'a bank that leads back by address: the card is confirmed with the server, or its refusal told',
    ],
    [
      '/jobs is a logged-in area',
      shell,
      'an anonymous visitor of /jobs comes to / with the login modal open',
    ],
    [
      '/payment/success is a return page of the checkout',
      money,
      'buys a package; the success page tells the truth until the credit has come',
    ],
    [
      '/payment/cancel is a return page of the checkout',
      money,
      'a declined card is told on the page, and going back charges nothing',
    ],
    [
      '/docs/developer has quick start, authentication, code examples, environments and help links',
      publicPages,
      'the developer documentation covers its topics and shows each language',
    ],
    [
      '/docs/developer mentions bearer keys and the prefix ci_live_',
      publicPages,
      'the developer documentation covers its topics and shows each language',
    ],
    [
      'The curl example of the documentation works',
      docsSnippets,
      'the curl example uploads, analyses and exports',
    ],
    [
      'The JavaScript example of the documentation works',
      docsSnippets,
      'the javascript example uploads, analyses and exports',
    ],
    [
      'The Python example of the documentation works',
      docsSnippets,
      'the python example uploads, analyses and exports',
    ],
    [
      '/terms and /privacy are static legal pages',
      publicPages,
      'the legal pages are dated, complete and linked to each other',
    ],
    [
      '/openapi.yaml is the API reference',
      publicPages,
      'the API reference shows every call of openapi.yaml and finds one',
    ],
  ]),
  ...section('2 OAuth callback', [
    [
      "Without token or provider: 'Invalid OAuth callback parameters' ('Authentication Error'), then /",
      signIn,
      'a callback without token or provider is an authentication error',
    ],
    [
      "The token is stored and 'Completing login...' is shown with a spinner",
      signIn,
      'the callback says Completing login... until the user is known',
    ],
    [
      'The current user is fetched and its id stored',
      signIn,
      'a person signs in with GitHub and comes to the dashboard',
    ],
    [
      'A login event with the provider is recorded',
      signIn,
      'a person signs in with GitHub and comes to the dashboard',
    ],
    [
      "'Successfully logged in with {provider}!' ('Welcome!'), then /dashboard (github)",
      signIn,
      'a person signs in with GitHub and comes to the dashboard',
    ],
    [
      "'Successfully logged in with {provider}!' ('Welcome!'), then /dashboard (google)",
      signIn,
      'a person signs in with Google and comes to the dashboard',
    ],
    [
      "If the user cannot be fetched: e-mail of the query, username before the @, 'Logged in with {provider}!', still /dashboard",
      signIn,
      'whenever the user cannot be fetched, the basic data of the query are used',
    ],
  ]),
  ...section('2 Dashboard', [
    [
      "The banner has e-mail, 'Active' and the credit balance",
      dashboard,
      'a new account sees its e-mail, Active, the balance, four tiles and every part, empty',
    ],
    [
      'There are four stat tiles',
      dashboard,
      'a new account sees its e-mail, Active, the balance, four tiles and every part, empty',
    ],
    [
      'The quick top-up strip has the 2nd and 3rd packages',
      dashboard,
      'a new account sees its e-mail, Active, the balance, four tiles and every part, empty',
    ],
    [
      'Quick actions, My Content, Recent Jobs, Current Month Usage, Recent Transactions',
      dashboard,
      'a new account sees its e-mail, Active, the balance, four tiles and every part, empty',
    ],
    [
      "Buying confirms, says 'Processing...', then leads to the checkout URL",
      dashboardDialogs,
      'buying: all packages, confirm, Processing..., then the address of the checkout',
    ],
    [
      'A modal creates jobs',
      dashboardDialogs,
      'a job needs an address and an extractor, and its failures are told',
    ],
    [
      'A modal adds content: upload a file',
      content,
      'a file is uploaded with its progress, and the dialog closes by itself',
    ],
    [
      'A modal adds content: add a URL reference',
      content,
      'an address is added, and a second time it is a duplicate',
    ],
    [
      'A modal manages API keys',
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      'A modal shows all packages',
      dashboardDialogs,
      'buying: all packages, confirm, Processing..., then the address of the checkout',
    ],
    [
      'Buy Now while logged out opens the login modal',
      landing,
      'Buy Now opens the login modal for a visitor and the confirmation for a user',
    ],
    [
      'Download is offered for content of type upload only',
      dashboard,
      'rows: 8 characters of a job, 5 jobs, 5 transactions, download for uploads only',
    ],
    [
      'Content is deleted after a confirmation',
      content,
      'an upload is downloaded in a new tab and deleted after a question',
    ],
    [
      "Analytics says 'Analytics feature coming soon!' as info",
      dashboard,
      'Analytics is coming soon',
    ],
    [
      'The job list shows the latest 5 jobs',
      dashboard,
      'rows: 8 characters of a job, 5 jobs, 5 transactions, download for uploads only',
    ],
    [
      'Job ids show their first 8 characters',
      dashboard,
      'rows: 8 characters of a job, 5 jobs, 5 transactions, download for uploads only',
    ],
    [
      'The transactions list shows the latest 5',
      dashboard,
      'rows: 8 characters of a job, 5 jobs, 5 transactions, download for uploads only',
    ],
    ['File sizes read in B, KB, MB or GB', fileSize, 'sizes read in B, KB, MB or GB'],
    [
      'Money reads as $ with 2 decimals',
      amounts,
      'display differs from the amount by at most half a cent',
    ],
  ]),
  ...section('2 Profile', [
    [
      "The header has picture, name, e-mail, balance and 'Buy Credits' opening the packages",
      profile,
      'the header has picture, name, e-mail, year, balance and Buy Credits',
    ],
    [
      'Without a name the header has the username',
      profile,
      'without an answer the member year is 2025, the name is the username, and the failure is told',
    ],
    [
      "The member-since year is the account's",
      profile,
      'the header has picture, name, e-mail, year, balance and Buy Credits',
    ],
    [
      'The member-since year defaults to 2025',
      profile,
      'without an answer the member year is 2025, the name is the username, and the failure is told',
    ],
    [
      'The hash account selects its section',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'The hash billing selects its section',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'The hash autoreload selects its section',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'The hash usage selects its section',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'The hash security selects its section',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'The hash paymentmethods selects its section',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'The hash security-api-keys opens security',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'The hash security-api-keys scrolls to the key creation after 100 ms',
      timings,
      'the hash security-api-keys scrolls to the keys after 100 ms',
    ],
    [
      'Selecting a section sets the hash and loads its data',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'Account Info: read-only e-mail, username and account type',
      profile,
      'Account Info is read-only and shows Pay-As-You-Go, Lifetime Spend and Total Credits Purchased',
    ],
    [
      'The account type reads Pay-As-You-Go',
      profile,
      'Account Info is read-only and shows Pay-As-You-Go, Lifetime Spend and Total Credits Purchased',
    ],
    [
      'Account Info: Lifetime Spend and Total Credits Purchased',
      profile,
      'Account Info is read-only and shows Pay-As-You-Go, Lifetime Spend and Total Credits Purchased',
    ],
    [
      'Billing shows the current balance',
      profile,
      'purchases: date-time, Auto-reload or Manual, plus sign, bonus above 0 only; top-up and all packages',
    ],
    [
      'A purchase has description, date-time and an amount with a plus sign',
      profile,
      'purchases: date-time, Auto-reload or Manual, plus sign, bonus above 0 only; top-up and all packages',
    ],
    [
      'The badge is Auto-reload or Manual by the metadata flag is_auto_reload',
      profile,
      'purchases: date-time, Auto-reload or Manual, plus sign, bonus above 0 only; top-up and all packages',
    ],
    [
      "'+N% bonus' where the percentage is above 0",
      profile,
      'purchases: date-time, Auto-reload or Manual, plus sign, bonus above 0 only; top-up and all packages',
    ],
    [
      'Quick Top-Up buttons of the 2nd and 3rd package with price, credits, bonus percent',
      profile,
      'purchases: date-time, Auto-reload or Manual, plus sign, bonus above 0 only; top-up and all packages',
    ],
    [
      "'View All Packages' opens the packages",
      profile,
      'purchases: date-time, Auto-reload or Manual, plus sign, bonus above 0 only; top-up and all packages',
    ],
    [
      "Empty: 'No purchases yet'",
      profile,
      'histories and cards that do not come are empty, silently',
    ],
    [
      "A charge has description, date, 8 characters of the job, a minus sign and 'Usage Charge'",
      profile,
      'usage: description, date, 8 characters of the job, minus sign, Usage Charge',
    ],
    [
      "Empty: 'No usage yet'",
      profile,
      'usage: description, date, 8 characters of the job, minus sign, Usage Charge',
    ],
    [
      "'End Session' of the current session logs out",
      profile,
      'security: deletion is coming soon, keys are managed here, End Session logs out',
    ],
    [
      'Security has the API key management',
      profile,
      'security: deletion is coming soon, keys are managed here, End Session logs out',
    ],
    [
      "'Delete Account' only says 'Account deletion requires email confirmation. Feature coming soon.' ('Coming Soon')",
      profile,
      'security: deletion is coming soon, keys are managed here, End Session logs out',
    ],
    [
      'Cards show brand, last4 and expiry month/year, and which is the default',
      profileCards,
      'cards show brand, digits and expiry; Remove comes on hover; failures are told',
    ],
    [
      'There is an add button',
      profileCards,
      'the card dialog: its words, and everything that can go wrong before a card is typed',
    ],
    [
      'The remove button shows on hover',
      profileCards,
      'cards show brand, digits and expiry; Remove comes on hover; failures are told',
    ],
    [
      "The dialog is titled 'Add Payment Method'",
      profileCards,
      'the card dialog: its words, and everything that can go wrong before a card is typed',
    ],
    [
      "The card form is the provider's",
      money,
      'cards are added in the provider’s own form, made default and removed',
    ],
    [
      "'Enable for Auto-Reload' is checked by default",
      profileCards,
      'the card dialog: its words, and everything that can go wrong before a card is typed',
    ],
    [
      "'Enable for Auto-Reload' is not sent to the server",
      profileCards,
      'saving a card says Saving..., sends the setup id alone, and a refusal is told',
    ],
    [
      "Buttons Cancel and 'Add Payment Method'",
      profileCards,
      'the card dialog: its words, and everything that can go wrong before a card is typed',
    ],
    [
      "Saving shows 'Saving...'",
      profileCards,
      'saving a card says Saving..., sends the setup id alone, and a refusal is told',
    ],
    [
      "A form that cannot load shows 'Failed to Load Payment Form'",
      profileCards,
      'the card dialog: its words, and everything that can go wrong before a card is typed',
    ],
  ]),
  ...section('2 Payment success', [
    [
      'Needs a login, else /',
      shell,
      'an anonymous visitor of /payment/success comes to / with the login modal open',
    ],
    [
      "Reads session_id, package_type and amount; shows 'Payment Successful!' and the session id",
      paymentReturn,
      'the success page shows the session, what comes next, and confetti',
    ],
    [
      'Says what is next: credits added, jobs, billing history, no expiration',
      paymentReturn,
      'the success page shows the session, what comes next, and confetti',
    ],
    ['Confetti of 20 pieces for 3 seconds', timings, '20 pieces of confetti fall for 3 seconds'],
    [
      'An 8-second countdown to /dashboard that holds under the pointer',
      timings,
      'the success page counts 8 seconds to 0, holds under the pointer, then leaves',
    ],
    [
      'Buttons to dashboard or home',
      paymentReturn,
      'the success page shows the session, what comes next, and confetti',
    ],
    [
      'A purchase event is reported once, the amount as a number',
      paymentReturn,
      'the success page shows the session, what comes next, and confetti',
    ],
  ]),
  ...section('2 Payment cancel', [
    [
      'Needs a login, else /',
      shell,
      'an anonymous visitor of /payment/cancel comes to / with the login modal open',
    ],
    [
      "Shows once an info toast 'Payment cancelled' / 'No charges were made'",
      paymentReturn,
      'the cancel page says once that nothing was charged, and leads on',
    ],
    [
      "Says 'Payment Cancelled', no charges made",
      paymentReturn,
      'the cancel page says once that nothing was charged, and leads on',
    ],
    [
      'Help links: support, /#pricing, /#docs; buttons back to dashboard or home',
      paymentReturn,
      'the cancel page says once that nothing was charged, and leads on',
    ],
  ]),
  ...section('3 Entities', [
    ['User fields', contract, 'User has the specified fields'],
    ['Billing stats fields, both readings', contract, 'Billing stats has the specified fields'],
    [
      'The dashboard reads the bonus, the profile the credits purchased',
      profile,
      'Account Info is read-only and shows Pay-As-You-Go, Lifetime Spend and Total Credits Purchased',
    ],
    ['Transaction fields', contract, 'Transaction has the specified fields'],
    [
      'Amounts are positive for credit, negative for debit',
      billing,
      'the balance, the totals and the history tell the same story',
    ],
    ['Content item fields', contract, 'Content item has the specified fields'],
    [
      'content_type is upload, youtube or url',
      contract,
      'a content item is an upload, youtube or a url; a key is active or expired',
    ],
    ['Job fields; workflow is comma-joined', contract, 'Job has the specified fields'],
    [
      'workflow is the comma-joined extractor ids',
      dashboardDialogs,
      'a job needs an address and an extractor, and its failures are told',
    ],
    ['API key fields', contract, 'API key has the specified fields'],
    ['The full key is in the answer to its creation', contract, 'a new key carries its full value'],
    [
      'The full key is shown once',
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    ['Payment method fields', contract, 'Payment method has the specified fields'],
    [
      'Credit package fields; bonus percent is bonus divided by price, rounded',
      catalogue,
      'the four packages are those of the specification',
    ],
    [
      'Auto-reload settings: enabled, threshold, package id',
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      'The session is a token and a user in local storage',
      signIn,
      'a person signs in with GitHub and comes to the dashboard',
    ],
    [
      'Other answers: checkout_url',
      contract,
      'the contract has POST /payment/checkout with the specified fields',
    ],
    [
      'Other answers: client_secret',
      contract,
      'the contract has POST /payment/setup-intent with the specified fields',
    ],
    [
      'Other answers: publishable_key',
      contract,
      'the contract has GET /payment/config with the specified fields',
    ],
  ]),
  ...section('4 States', [
    [
      'Anonymous, then authenticated after the callback',
      signIn,
      'a person signs in with GitHub and comes to the dashboard',
    ],
    [
      'Loading until the stored session is read: a signed-in visitor is not sent away',
      shell,
      'until the stored session is read, nobody who has one is asked to log in or sent away',
    ],
    [
      "Login says 'Login successful' / 'Welcome!'",
      signIn,
      'a login in one tab is one in the other, which says so',
    ],
    [
      "Logout clears token and user and says 'Logged out' / 'Goodbye!'",
      shell,
      'the user menu has Dashboard, Profile, API Keys and Logout, and logs out',
    ],
    [
      'processing, queued and running count as in progress',
      dashboard,
      'rows: 8 characters of a job, 5 jobs, 5 transactions, download for uploads only',
    ],
    [
      'completed, in progress, failed and others look different; others neutral',
      dashboard,
      'a status is good, in progress, bad or neutral',
    ],
    [
      'Keys are counted and marked as active',
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      'Keys are counted and marked as expired',
      dashboardDialogs,
      'an expired key is counted and marked, and a list that does not come is told',
    ],
    [
      "The new key's panel clears when the form is toggled",
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      'Upload: idle, uploading with percent',
      content,
      'a running upload shows its percent and can be canceled',
    ],
    [
      'Upload: completed closes the modal after 1 s',
      timings,
      'the upload dialog closes 1 second after the upload',
    ],
    [
      'Upload: failed is told',
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      'The job modal closes 1.5 s after success',
      timings,
      'the job dialog closes 1.5 seconds after the job was made',
    ],
    [
      "Purchase: confirm, 'Processing...', checkout, return to /payment/success",
      money,
      'buys a package; the success page tells the truth until the credit has come',
    ],
    [
      'Purchase: return to /payment/cancel',
      money,
      'a declined card is told on the page, and going back charges nothing',
    ],
    [
      'The auto-reload toggle is disabled without a saved card',
      profileCards,
      'auto-reload with an earlier consent hides the agreement; without a card it cannot be saved',
    ],
    [
      'Enabled needs threshold, package and one-time consent; data reload after saving',
      money,
      'auto-reload wants consent and a package, then reloads once and shows it',
    ],
    [
      'An earlier consent hides the agreement and counts as accepted',
      profileCards,
      'auto-reload with an earlier consent hides the agreement; without a card it cannot be saved',
    ],
    [
      'The selected card is the default one',
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      'The selected card is the first where none is default',
      profileCards,
      'auto-reload with an earlier consent hides the agreement; without a card it cannot be saved',
    ],
    [
      'A card is added by a setup intent and confirmed with the server when it succeeded',
      money,
      'cards are added in the provider’s own form, made default and removed',
    ],
    [
      'Clicking a card that is not the default makes it the default',
      money,
      'cards are added in the provider’s own form, made default and removed',
    ],
    [
      'Removing a default card makes the next the default',
      money,
      'cards are added in the provider’s own form, made default and removed',
    ],
    [
      'The countdown runs 8 to 0, then leaves; it holds on hover',
      timings,
      'the success page counts 8 seconds to 0, holds under the pointer, then leaves',
    ],
  ]),
  ...section('5 Validation', [
    [
      "Job without URL: 'Please enter a content URL' ('Validation Error')",
      dashboardDialogs,
      'a job needs an address and an extractor, and its failures are told',
    ],
    [
      "Job without extractor: 'Please select at least one extractor'",
      dashboardDialogs,
      'a job needs an address and an extractor, and its failures are told',
    ],
    [
      'The URL field is of type URL',
      dashboardDialogs,
      'a job needs an address and an extractor, and its failures are told',
    ],
    [
      "Upload without file: 'Please select a file first' ('No File Selected')",
      content,
      'an upload without a file is refused with the words of the specification',
    ],
    [
      "Upload without token: 'Please log in first' ('Authentication Required')",
      dashboardDialogs,
      'an upload without a token asks to log in first',
    ],
    [
      'Any file type is accepted; the dialog names videos, PDFs, images, documents',
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      "URL reference: 'Please enter a URL' when empty after trimming",
      content,
      'an address is added, and a second time it is a duplicate',
    ],
    [
      'URL reference: the name is trimmed',
      content,
      'an address is added, and a second time it is a duplicate',
    ],
    [
      'URL reference: an empty name is omitted',
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      "Key name required after trimming: 'Please enter a key name'",
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      'Key expiry 30, 90, 180 or 365 days, 365 by default',
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      "Deleting a key asks 'Are you sure you want to delete this API key? This cannot be undone.'",
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      "Deleting content asks 'Are you sure you want to delete this content? This action cannot be undone.'",
      content,
      'an upload is downloaded in a new tab and deleted after a question',
    ],
    [
      'The e-mail forms do nothing; signup passwords have minimum length 8',
      signIn,
      'the e-mail forms say that they do not work, ask for 8 characters, and send nothing',
    ],
    [
      "Auto-reload without card: 'Please add a payment method first' ('Payment Method Required')",
      profileCards,
      'auto-reload with an earlier consent hides the agreement; without a card it cannot be saved',
    ],
    [
      "Auto-reload without consent: 'Please accept the authorization agreement' ('Consent Required')",
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      "Auto-reload without package: 'Please select a reload package' ('Package Required')",
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      'Save is disabled while saving',
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      'Save is disabled when enabled without cards',
      profileCards,
      'auto-reload with an earlier consent hides the agreement; without a card it cannot be saved',
    ],
    [
      'Thresholds $5, $10, $20, $50, 5 by default on the screen',
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      "The profile state's threshold default is 10",
      profile,
      'the threshold of the profile is 10 until one is saved',
    ],
    [
      "The amount is the chosen package's; without one it is 20",
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      "Removing a card asks 'Remove this payment method?'",
      profileCards,
      'cards show brand, digits and expiry; Remove comes on hover; failures are told',
    ],
    [
      "Removing the default asks 'Remove this default payment method? The next card will be set as default.'",
      money,
      'cards are added in the provider’s own form, made default and removed',
    ],
    [
      'A card form that is not ready is blocked: the card provider has not loaded yet',
      profileCards,
      'the card dialog: its words, and everything that can go wrong before a card is typed',
    ],
  ]),
  ...section('6 Permissions', [
    [
      'Anonymous and authenticated only: every call that needs a person refuses an anonymous one',
      house,
      'every call of the contract that needs a person refuses an anonymous one',
    ],
    [
      'The dashboard sends an anonymous visitor to /',
      shell,
      'an anonymous visitor of /dashboard comes to / with the login modal open',
    ],
    [
      'The profile sends an anonymous visitor to /',
      shell,
      'an anonymous visitor of /profile comes to / with the login modal open',
    ],
    [
      'Payment success sends an anonymous visitor to /',
      shell,
      'an anonymous visitor of /payment/success comes to / with the login modal open',
    ],
    [
      'Payment cancel sends an anonymous visitor to /',
      shell,
      'an anonymous visitor of /payment/cancel comes to / with the login modal open',
    ],
    [
      'All data calls carry the bearer token of local storage',
      dashboard,
      'the dashboard asks for user, stats, content, 5 jobs and 5 credits, with the bearer token',
    ],
    [
      'Download for content of type upload only',
      dashboard,
      'rows: 8 characters of a job, 5 jobs, 5 transactions, download for uploads only',
    ],
  ]),
  ...section('7 Calls', [
    [
      "The base address follows the page's host; any other host uses the dev API",
      apiAddress,
      'the API follows the page’s host: local, dev, production, and dev for any other',
    ],
    [
      'The bearer token is added',
      dashboard,
      'the dashboard asks for user, stats, content, 5 jobs and 5 credits, with the bearer token',
    ],
    [
      'JSON is the default content type',
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      'GET /auth/github is asked with frontend_url, the encoded origin of the page',
      signIn,
      'a person signs in with GitHub and comes to the dashboard',
    ],
    [
      'GET /auth/google is asked with frontend_url, the encoded origin of the page',
      signIn,
      'a person signs in with Google and comes to the dashboard',
    ],
    [
      'The server has exactly the calls of the contract, under /v1',
      house,
      'the server has exactly the routes of the contract',
    ],
    [
      'GET /auth/github leads back to / with token, provider and email',
      accounts,
      'signing in with GitHub leads back with token, provider and e-mail',
    ],
    [
      'GET /auth/google leads back to / with token, provider and email',
      accounts,
      'the same verified e-mail at Google opens the same account',
    ],
    [
      'GET /auth/{provider}',
      contract,
      'the contract has GET /auth/{provider} with the specified fields',
    ],
    ['GET /user/me', contract, 'the contract has GET /user/me with the specified fields'],
    [
      'GET /user/billing-stats',
      contract,
      'the contract has GET /user/billing-stats with the specified fields',
    ],
    [
      'GET /user/billing-history',
      contract,
      'the contract has GET /user/billing-history with the specified fields',
    ],
    ['GET /content', contract, 'the contract has GET /content with the specified fields'],
    [
      'POST /content/upload',
      contract,
      'the contract has POST /content/upload with the specified fields',
    ],
    [
      'POST /content/reference',
      contract,
      'the contract has POST /content/reference with the specified fields',
    ],
    [
      'DELETE /content/{id}',
      contract,
      'the contract has DELETE /content/{id} with the specified fields',
    ],
    [
      'GET /content/{id}/download',
      contract,
      'the contract has GET /content/{id}/download with the specified fields',
    ],
    ['GET /jobs', contract, 'the contract has GET /jobs with the specified fields'],
    ['POST /jobs', contract, 'the contract has POST /jobs with the specified fields'],
    [
      'POST /payment/checkout',
      contract,
      'the contract has POST /payment/checkout with the specified fields',
    ],
    [
      'GET /payment/config',
      contract,
      'the contract has GET /payment/config with the specified fields',
    ],
    [
      'POST /payment/setup-intent',
      contract,
      'the contract has POST /payment/setup-intent with the specified fields',
    ],
    [
      'POST /payment/confirm-setup-intent',
      contract,
      'the contract has POST /payment/confirm-setup-intent with the specified fields',
    ],
    [
      'GET /user/payment-methods',
      contract,
      'the contract has GET /user/payment-methods with the specified fields',
    ],
    [
      'PUT /user/payment-methods/{id}/default',
      contract,
      'the contract has PUT /user/payment-methods/{id}/default with the specified fields',
    ],
    [
      'DELETE /user/payment-methods/{id}',
      contract,
      'the contract has DELETE /user/payment-methods/{id} with the specified fields',
    ],
    [
      'PUT /user/auto-reload',
      contract,
      'the contract has PUT /user/auto-reload with the specified fields',
    ],
    ['GET /api-keys', contract, 'the contract has GET /api-keys with the specified fields'],
    ['POST /api-keys', contract, 'the contract has POST /api-keys with the specified fields'],
    ['DELETE /api-keys', contract, 'the contract has DELETE /api-keys with the specified fields'],
    [
      'The dashboard asks billing-history?limit=5&type=credit',
      dashboard,
      'the dashboard asks for user, stats, content, 5 jobs and 5 credits, with the bearer token',
    ],
    [
      'The profile asks billing-history?limit=10&type=credit',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'Usage asks billing-history?limit=20&type=charge',
      profile,
      'each hash opens its section, the menu sets the hash, and data are asked for when shown',
    ],
    [
      'The dashboard asks jobs?limit=5',
      dashboard,
      'the dashboard asks for user, stats, content, 5 jobs and 5 credits, with the bearer token',
    ],
    [
      'Upload is multipart with the field file, with progress',
      content,
      'a file is uploaded with its progress, and the dialog closes by itself',
    ],
    [
      'Reference sends {url, name?}',
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      'Download opens in a new tab',
      content,
      'an upload is downloaded in a new tab and deleted after a question',
    ],
    [
      'POST /jobs sends {content_url, workflow}',
      dashboardDialogs,
      'a job needs an address and an extractor, and its failures are told',
    ],
    [
      'Checkout sends package, success_url and cancel_url, and the browser is sent to checkout_url',
      dashboardDialogs,
      'buying: all packages, confirm, Processing..., then the address of the checkout',
    ],
    [
      'confirm-setup-intent sends {setup_intent_id}',
      profileCards,
      'saving a card says Saving..., sends the setup id alone, and a refusal is told',
    ],
    [
      'Making a card default sends no body',
      profileCards,
      'cards show brand, digits and expiry; Remove comes on hover; failures are told',
    ],
    [
      'Auto-reload sends {enabled, threshold_usd, amount_usd, package_id}',
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      'A key is made with {name, expiresInDays} and deleted by ?keyId=',
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      'Errors are read from message',
      dashboardDialogs,
      'checkout failures: the server’s words, or the standard ones, and a missing address',
    ],
    [
      'Content calls read error',
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      'The dashboard loads user, stats, content, jobs and history',
      dashboard,
      'the dashboard asks for user, stats, content, 5 jobs and 5 credits, with the bearer token',
    ],
    [
      'Lists fall back to empty on failure',
      dashboard,
      'what cannot be loaded is told once, and the lists stand empty',
    ],
  ]),
  ...section('8 Errors', [
    [
      "Upload 409: warning 'This file already exists in your library' ('Duplicate File')",
      content,
      'a duplicate is told as a warning',
    ],
    [
      "Upload failure: the server's error, else 'Upload failed. Please try again.' ('Upload Failed')",
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      "Upload without a line: 'Network error. Please check your connection and try again.'",
      content,
      'a lost line is told with the words of the specification',
    ],
    [
      "Upload aborted: info 'Upload was cancelled'",
      content,
      'a running upload shows its percent and can be canceled',
    ],
    [
      "Reference 409: warning with the server's error ('Duplicate URL')",
      content,
      'an address is added, and a second time it is a duplicate',
    ],
    [
      "Reference 409 without words: 'This URL already exists in your library'",
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      "Reference failure: the server's error or 'Failed to add URL reference'",
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      "Reference without a line: 'Network error. Please try again.'",
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      "Checkout: 'Failed to create checkout session' ('Checkout Failed')",
      dashboardDialogs,
      'checkout failures: the server’s words, or the standard ones, and a missing address',
    ],
    [
      "Checkout: 'Checkout URL not provided' ('Error')",
      dashboardDialogs,
      'checkout failures: the server’s words, or the standard ones, and a missing address',
    ],
    [
      "'Failed to load dashboard data'",
      dashboard,
      'what cannot be loaded is told once, and the lists stand empty',
    ],
    [
      "'Failed to fetch API keys' ('Failed to load API keys')",
      dashboardDialogs,
      'an expired key is counted and marked, and a list that does not come is told',
    ],
    [
      "'Failed to create API key'",
      dashboardDialogs,
      'API keys: name wanted, 30, 90, 180 or 365 days, shown once, counted, deleted after a question',
    ],
    [
      "Job creation: the message or 'Failed to create job'",
      dashboardDialogs,
      'a job needs an address and an extractor, and its failures are told',
    ],
    [
      "'Failed to delete content'",
      dashboardDialogs,
      'content that cannot be deleted, uploaded or added is told in the words of the specification',
    ],
    [
      "'Invalid OAuth callback parameters' ('Authentication Error')",
      signIn,
      'a callback without token or provider is an authentication error',
    ],
    [
      "'Failed to load profile data'",
      profile,
      'without an answer the member year is 2025, the name is the username, and the failure is told',
    ],
    [
      "'Failed to load settings'",
      profile,
      'without an answer the member year is 2025, the name is the username, and the failure is told',
    ],
    [
      "'Failed to save settings'",
      profileCards,
      'auto-reload offers $5, $10, $20 and $50, starts at 5 and with the default card',
    ],
    [
      "Saving settings: the server's message",
      profileCards,
      'auto-reload with an earlier consent hides the agreement; without a card it cannot be saved',
    ],
    [
      "'Auto-reload settings saved successfully'",
      money,
      'auto-reload wants consent and a package, then reloads once and shows it',
    ],
    [
      "'Failed to initialize payment form' or the server's message; the dialog closes",
      profileCards,
      'the card dialog: its words, and everything that can go wrong before a card is typed',
    ],
    [
      "'Failed to save payment method'",
      profileCards,
      'saving a card says Saving..., sends the setup id alone, and a refusal is told',
    ],
    [
      "'Failed to add payment method' when the provider's status is not succeeded",
      profileCards,
      'a setup that the provider has not finished is told',
    ],
    [
      "The provider's message titled 'Payment Method Error'",
      money,
      'a declined and an unfinished card are told; a bank that asks is answered',
    ],
    [
      "'Payment method added successfully'",
      money,
      'cards are added in the provider’s own form, made default and removed',
    ],
    [
      "'Default payment method updated'",
      money,
      'cards are added in the provider’s own form, made default and removed',
    ],
    [
      "'Failed to set default payment method'",
      profileCards,
      'cards show brand, digits and expiry; Remove comes on hover; failures are told',
    ],
    [
      "'Payment method removed'",
      money,
      'cards are added in the provider’s own form, made default and removed',
    ],
    [
      "'Failed to remove payment method'",
      profileCards,
      'cards show brand, digits and expiry; Remove comes on hover; failures are told',
    ],
    [
      'Histories and cards that fail to load are empty, silently',
      profile,
      'histories and cards that do not come are empty, silently',
    ],
  ]),
  ...section('9 Constants', [
    [
      'The four packages: id, name, price, credits, bonus, flags',
      catalogue,
      'the four packages are those of the specification',
    ],
    [
      'The packages are shown so',
      landing,
      'the packages are those of the catalogue, with bonus and flags',
    ],
    [
      'Quick top-up shows the 2nd and 3rd',
      catalogue,
      'quick top-up offers the second and the third package',
    ],
    [
      'Extractor prices $0.001, $0.005 and $0.01 per second',
      catalogue,
      'extractor prices, calculator, lists, times and choices are those of the specification',
    ],
    [
      'Extractor prices are shown per second',
      dashboardDialogs,
      'a job needs an address and an extractor, and its failures are told',
    ],
    [
      'Calculator: $0.025 per second, 1 to 3600 s, 300 by default, 3 decimals',
      landing,
      'the calculator shows $0.025 a second to 3 decimals while the slider moves',
    ],
    [
      'Free tier $5 per month',
      billing,
      'free credit is gone in the next month, and a new grant stands in its place',
    ],
    [
      'The advertised bonus is up to 25% in the legal text',
      publicPages,
      'the legal pages are dated, complete and linked to each other',
    ],
    [
      'Lists: 5 jobs, 5 credits, 10 purchases, 20 charges',
      catalogue,
      'extractor prices, calculator, lists, times and choices are those of the specification',
    ],
    [
      'The profile shows 10 purchases',
      profile,
      'ten purchases show however many free credits lie between them',
    ],
    [
      'Default auto-reload amount 20; thresholds 5, 10, 20, 50',
      catalogue,
      'extractor prices, calculator, lists, times and choices are those of the specification',
    ],
    [
      'Key expiry 30, 90, 180, 365 days',
      catalogue,
      'extractor prices, calculator, lists, times and choices are those of the specification',
    ],
    ['Toast 4 s', timings, 'a toast stands 4 seconds, not a millisecond less or more'],
    ['Upload modal 1 s', timings, 'the upload dialog closes 1 second after the upload'],
    ['Job modal 1.5 s', timings, 'the job dialog closes 1.5 seconds after the job was made'],
    [
      'Countdown 8 s',
      timings,
      'the success page counts 8 seconds to 0, holds under the pointer, then leaves',
    ],
    ['Confetti 3 s, 20 pieces', timings, '20 pieces of confetti fall for 3 seconds'],
    ['Scroll delay 100 ms', timings, 'the hash security-api-keys scrolls to the keys after 100 ms'],
    [
      'Member year 2025',
      profile,
      'without an answer the member year is 2025, the name is the username, and the failure is told',
    ],
  ]),
]

function section(name: string, rows: readonly [string, string, string][]): Statement[] {
  return rows.map(([says, file, test]) => ({ section: name, says, provenBy: [file, test] }))
}
