/** Requests that the contract takes, to a service where they find nothing. */
import { noCorrections } from '../../domain/findings/no-corrections.ts'
import type { Ground } from './bad-requests.ts'
import { emptyReview } from '../../contract/footage/review.ts'

/** An id of nothing. */
export const missing = '3f9c2a1b-6d0e-4b57-9a4e-0c7f5d1e2a34'
const other = '7a1d5e02-93b4-4c68-8f10-2b6e4d9c0a57'

/** By the names of the contract's endpoints; one part of each is then made bad. */
export function goodRequests({
  url,
  contentId,
  id = missing,
}: {
  url: string
  contentId: string
  id?: string
}): Ground {
  const job = { content_id: contentId, workflow: 'ffprobe', in: 0, out: 1 }
  return {
    params: {
      id,
      name: 'sprite.jpg',
      provider: 'github',
      token: 'A'.repeat(43),
      number: 'CI-2020-999999',
      source: 's1',
      comment_id: missing,
    },
    bodies: {
      createCheckout: {
        credit_package_id: 'pkg-power-50',
        success_url: `${url}/payment/success`,
        cancel_url: `${url}/payment/cancel`,
      },
      confirmSetupIntent: { setup_intent_id: 'seti_missing' },
      saveAutoReload: {
        enabled: false,
        threshold_usd: 10,
        amount_usd: 50,
        package_id: 'pkg-power-50',
        consent_accepted: true,
      },
      saveMailSubscription: { token: 'a.b', wanted: false },
      savePreferences: { media_folder: '/Volumes/A/', mail: { finished: true } },
      allowOauthRequest: {
        client_id: missing,
        redirect_uri: 'http://localhost:8090/callback',
        response_type: 'code',
        code_challenge: 'A'.repeat(43),
        code_challenge_method: 'S256',
        scopes: ['search'],
        monthly_limit_usd: 5,
      },
      createBin: { name: 'Day 1', parent_id: missing },
      ensureBins: { paths: ['Card A/CLIPS'], parent_id: missing },
      updateBin: { name: 'Day 1', parent_id: null, position: 0 },
      markContent: { content_ids: [missing], rating: 3, add_keywords: ['quay'] },
      saveCorrections: { ...noCorrections, version: 0 },
      saveBillingDetails: {
        company: 'Schnitt GmbH',
        address: 'Hauptstraße 1',
        country: 'DE',
        vat_id: 'DE136695976',
      },
      addReference: { url: 'http://127.0.0.1:1/clip.mp4', name: 'Clip' },
      createApiKey: {
        name: 'Door',
        expiresInDays: 30,
        mode: 'test',
        scopes: ['search'],
        spend_limit: { usd: 5, period: 'month' },
        allowed_addresses: ['127.0.0.0/8', '::1'],
      },
      updateApiKey: {
        name: 'Door',
        expiresInDays: 90,
        scopes: null,
        spend_limit: { usd: 5, period: 'total' },
        allowed_addresses: null,
      },
      saveSpendLimit: { monthly_usd: 100 },
      createWebhook: { url: 'http://127.0.0.1:1/', events: ['job.failed'], description: 'Door' },
      updateWebhook: { url: 'http://127.0.0.1:1/', events: ['job.failed'], enabled: true },
      redeliverWebhook: { since: '2026-01-01T00:00:00.000Z' },
      quoteJob: { ...job, content_url: 'http://127.0.0.1:1/clip.mp4' },
      createJob: { ...job, content_url: 'http://127.0.0.1:1/clip.mp4' },
      createCut: { name: 'Opening', project_id: missing },
      saveCut: {
        name: 'Opening',
        frame_rate: '25',
        drop_frame: false,
        start_timecode: '01:00:00:00',
        target_seconds: null,
        ranges: [],
        version: 1,
      },
      quoteSync: { content_ids: [missing, other] },
      createSync: { content_ids: [missing, other], name: 'Mill' },
      updateSync: { name: 'Mill', items: [{ content_id: missing, offset: '1/25', group: 0 }] },
      createShare: { cut_id: missing },
      replyToComment: { text: 'Yes' },
      updateComment: { done: true },
      openShare: { password: 'guess' },
      addSharedComment: { name: 'Ines', text: 'Fine', at: 0, version: 1 },
      editSharedComment: { text: 'Fine', device_secret: 'x' },
      saveReview: emptyReview,
      saveClipReview: emptyReview,
    },
    queries: {
      signIn: { frontend_url: url },
      deleteApiKey: { keyId: missing },
      exportJob: { format: 'json' },
      exportCut: { format: 'json' },
      exportSync: { format: 'csv', group: '0' },
      getSyncSound: { content_id: missing, start: '0', seconds: '1' },
      search: { q: 'word' },
      openUnsubscribe: { token: 'a.b' },
      unsubscribe: { token: 'a.b' },
      getMailSubscription: { token: 'a.b' },
      downloadDataExport: { token: 'a' },
      downloadUsage: { from: '2026-01-01', to: '2026-01-31', group: 'key' },
    },
  }
}
