/** THE table: every endpoint of the contract and the verb that answers it. */
import cookie from '@fastify/cookie'
import Fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { api } from '../contract/api.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { prefetchAccount } from './sign-in/account.ts'
import type { Prefetcher } from './db/prefetch.ts'
import { getMe } from './sign-in/me.ts'
import { registerMcp } from './agents/mcp.ts'
import { getPreferences, savePreferences } from './sign-in/preferences.ts'
import { endSession, exchangeToken, listSessions, logout } from './sign-in/session.ts'
import { getSpendLimit, saveSpendLimit } from './sign-in/spend-limit.ts'
import { signIn, signInCallback } from './sign-in/sign-in.ts'
import { reportAnalytics } from './analytics/report.ts'
import { createApiKey } from './api-keys/create.ts'
import { deleteApiKey, deleteApiKeyById } from './api-keys/delete.ts'
import { getCurrentApiKey, listApiKeys } from './api-keys/list.ts'
import { updateApiKey } from './api-keys/update.ts'
import { getBillingDetails, saveBillingDetails } from './invoices/details.ts'
import { downloadInvoice } from './invoices/pdf.ts'
import { getInvoice, listInvoices } from './invoices/read.ts'
import { downloadUsage } from './jobs/usage.ts'
import { downloadDataExport, getDataExport, requestDataExport } from './privacy/data-export.ts'
import { measureRequests } from './ground/count-requests.ts'
import { registerMetrics } from './service/serve-metrics.ts'
import { getStatus } from './service/status.ts'
import { listAudit } from './audit/list.ts'
import { recordChange } from './audit/record.ts'
import { traceRequests } from './ground/trace.ts'
import { downloadBillingHistory, listBillingHistory } from './billing/history.ts'
import { getReceipt } from './billing/receipt.ts'
import { getBillingStats } from './billing/stats.ts'
import { cancelBatch } from './batches/cancel.ts'
import { createBatch } from './batches/create.ts'
import { quoteBatch } from './batches/quote.ts'
import { getBatch, listBatches } from './batches/read.ts'
import { authenticate } from './authenticate.ts'
import { deleteCut } from './cuts/delete.ts'
import { createCutTicket, exportCut } from './cuts/export.ts'
import { getCut, listCuts, listCutVersions } from './cuts/read.ts'
import { createCut, saveCut } from './cuts/save.ts'
import { getCutTranscript } from './cuts/transcript.ts'
import { addReference } from './content/add-reference.ts'
import { isLoopback } from './ground/allowed-address.ts'
import { deleteBin } from './content/delete-bin.ts'
import { deleteContent, deleteManyContent } from './content/delete.ts'
import {
  createDownloadTicket,
  createPlayTicket,
  downloadContent,
  getContentThumbnail,
  playContent,
} from './content/download.ts'
import { getContent, listContent, listContentIds } from './content/list.ts'
import {
  cancelResumableUpload,
  continueResumableUpload,
  createResumableUpload,
  getResumableUpload,
} from './uploads/resumable.ts'
import { addSample } from './uploads/sample.ts'
import { listKeywords, markContent } from './content/mark.ts'
import { moveContent, updateContent } from './content/update.ts'
import { uploadContent } from './uploads/upload.ts'
import {
  getMailSubscription,
  openUnsubscribe,
  saveMailSubscription,
  unsubscribe,
} from './mail/unsubscribe.ts'
import type { Config } from './ground/config.ts'
import type { Context } from './ground/context.ts'
import { getHealth } from './service/health.ts'
import { countClients, limitByDescriptors, openConnections } from './http/connections.ts'
import { compressAnswers } from './http/compress.ts'
import { registerHeaders } from './http/headers.ts'
import { refuseSecondHost } from './http/host.ts'
import { answerError, answerNoRequest, createAdmission, registerRoutes } from './http/route.ts'
import { cutSlowBodies } from './http/slow-bodies.ts'
import { registerStatic } from './http/static.ts'
import type { Verbs } from './ground/verb.ts'
import { allowOauthRequest, readOauthRequest } from './oauth/consent.ts'
import { registerOauthClient } from './oauth/client.ts'
import { registerOauthMetadata } from './oauth/metadata.ts'
import { exchangeOauthCode } from './oauth/token.ts'
import { saveAutoReload } from './payments/auto-reload-settings.ts'
import {
  confirmSetupIntent,
  createSetupIntent,
  deletePaymentMethod,
  listPaymentMethods,
  setDefaultPaymentMethod,
} from './payments/cards.ts'
import { createCheckout, getPaymentConfig, getPaymentSession } from './payments/checkout.ts'
import { receivePaymentWebhook } from './payments/webhook.ts'
import { createBin, ensureBins, listBins, updateBin } from './projects/bins.ts'
import { createProject } from './projects/create.ts'
import { deleteProject } from './projects/delete.ts'
import { getProject, listProjects } from './projects/read.ts'
import { listProjectSelects } from './findings/project-selects.ts'
import { updateProject } from './projects/update.ts'
import { cancelJob } from './jobs/cancel.ts'
import { getCorrections, saveCorrections } from './findings/corrections.ts'
import { renameProjectSpeaker } from './findings/rename-speaker.ts'
import { createJob } from './jobs/create.ts'
import { deleteJob } from './jobs/delete.ts'
import { watchAccount, watchJob } from './jobs/events.ts'
import { exportManyContent } from './findings/export-many.ts'
import { exportJob } from './findings/export.ts'
import { createFileTicket, getJobFile } from './findings/files.ts'
import { listJobs, prefetchFirstJobs } from './jobs/list.ts'
import { quoteJob } from './jobs/quote.ts'
import { getJob } from './jobs/read.ts'
import { createPlayback, getPlaybackFragment, getPlaybackList } from './playback/play.ts'
import { getJobResults } from './findings/results.ts'
import { getTranscriptSoFar } from './findings/transcript-so-far.ts'
import { retryJob } from './jobs/retry.ts'
import { getClipReview, getReview, saveClipReview, saveReview } from './findings/review.ts'
import { search } from './findings/search.ts'
import {
  addSharedComment,
  deleteComment,
  editSharedComment,
  listComments,
  listSharedComments,
  replyToComment,
  updateComment,
} from './shares/comments.ts'
import { createShare, listShares, revokeShare } from './shares/links.ts'
import { getShared, getSharedFile, openShare } from './shares/open.ts'
import { cancelSync } from './syncs/cancel.ts'
import { createSync } from './syncs/create.ts'
import { deleteSync } from './syncs/delete.ts'
import { exportSync } from './syncs/export.ts'
import { quoteSync } from './syncs/quote.ts'
import { getSync, listSyncs } from './syncs/read.ts'
import { getSyncSound } from './syncs/sound.ts'
import { updateSync } from './syncs/update.ts'
import { createWebhook } from './webhooks/create.ts'
import { deleteWebhook } from './webhooks/delete.ts'
import { listWebhookDeliveries } from './webhooks/deliveries.ts'
import { listWebhooks } from './webhooks/read.ts'
import { redeliverWebhook, testWebhook } from './webhooks/redeliver.ts'
import { rotateWebhookSecret, updateWebhook } from './webhooks/update.ts'

/** Rows that are fetched with the credential, of what nearly every visit asks for. */
const prefetchers = new Map<Endpoint, Prefetcher>([
  [api.getMe, prefetchAccount],
  [api.listJobs, prefetchFirstJobs],
])

const verbs: Verbs = {
  getHealth,
  getStatus,
  reportAnalytics,

  signIn,
  signInCallback,
  exchangeToken,
  logout,
  getMe,
  getPreferences,
  savePreferences,
  listSessions,
  endSession,
  listAudit,

  openUnsubscribe,
  unsubscribe,
  getMailSubscription,
  saveMailSubscription,
  requestDataExport,
  getDataExport,
  downloadDataExport,

  getSpendLimit,
  saveSpendLimit,
  getBillingStats,
  listBillingHistory,
  downloadBillingHistory,
  getReceipt,
  downloadUsage,
  getBillingDetails,
  saveBillingDetails,
  listInvoices,
  getInvoice,
  downloadInvoice,

  createCheckout,
  getPaymentSession,
  getPaymentConfig,
  createSetupIntent,
  confirmSetupIntent,
  listPaymentMethods,
  setDefaultPaymentMethod,
  deletePaymentMethod,
  saveAutoReload,
  receivePaymentWebhook,

  listApiKeys,
  createApiKey,
  getCurrentApiKey,
  updateApiKey,
  deleteApiKey,
  deleteApiKeyById,

  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
  registerOauthClient,
  readOauthRequest,
  allowOauthRequest,
  exchangeOauthCode,

  listProjects,
  createProject,
  getProject,
  listProjectSelects,
  updateProject,
  deleteProject,
  listBins,
  createBin,
  ensureBins,
  updateBin,
  deleteBin,

  listContent,
  listContentIds,
  getContent,
  updateContent,
  moveContent,
  markContent,
  listKeywords,
  exportManyContent,
  deleteManyContent,
  uploadContent,
  addReference,
  addSample,
  deleteContent,
  createDownloadTicket,
  downloadContent,
  createPlayTicket,
  playContent,
  createPlayback,
  getPlaybackList,
  getPlaybackFragment,
  getContentThumbnail,
  getClipReview,
  saveClipReview,
  createResumableUpload,
  continueResumableUpload,
  getResumableUpload,
  cancelResumableUpload,

  quoteJob,
  createJob,
  listJobs,
  getJob,
  cancelJob,
  retryJob,
  deleteJob,
  getJobResults,
  getTranscriptSoFar,
  getReview,
  saveReview,
  getCorrections,
  saveCorrections,
  renameSpeaker: renameProjectSpeaker,
  exportJob,
  createFileTicket,
  getJobFile,
  watchJob,
  watchAccount,
  search,

  quoteBatch,
  createBatch,
  listBatches,
  getBatch,
  cancelBatch,

  listCuts,
  createCut,
  getCut,
  listCutVersions,
  saveCut,
  deleteCut,
  getCutTranscript,
  createCutTicket,
  exportCut,

  quoteSync,
  createSync,
  listSyncs,
  getSync,
  updateSync,
  cancelSync,
  deleteSync,
  getSyncSound,
  exportSync,

  createShare,
  listShares,
  revokeShare,
  listComments,
  replyToComment,
  updateComment,
  deleteComment,
  openShare,
  getShared,
  getSharedFile,
  listSharedComments,
  addSharedComment,
  editSharedComment,
}

const maxJsonBytes = 1024 * 1024

export async function createApp(
  ctx: Context,
  onRoute: (route: string) => void = () => undefined,
): Promise<FastifyInstance> {
  // Fastify's type of a logger is wider than pino's own, so its instance takes this one.
  const log: FastifyBaseLogger = ctx.log
  const connections = openConnections({
    maxConnections: limitByDescriptors(ctx.config.connections.max),
    maxPerAddress: ctx.config.connections.maxPerAddress,
    // The proxies before us, or one on this machine, speak for many people.
    isShared: (address) => ctx.config.trustProxy > 0 || isLoopback(address),
    log: ctx.log,
  })
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // If the list is longer than the number of proxies, the client itself sent the rest.
    trustProxy: (_address, hop) => hop < ctx.config.trustProxy,
    bodyLimit: maxJsonBytes,
    routerOptions: { maxParamLength: 300 },
    serverFactory: connections.serverFactory,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerNoRequest,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.addHook('onRoute', (route) => onRoute(`${String(route.method)} ${route.url}`))
  app.decorateRequest('actor', null)
  app.setErrorHandler(answerError)
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        accountId: request.actor?.accountId ?? null,
      },
      'answered',
    )
    done()
  })
  measureRequests(app)
  traceRequests(app)
  acceptEmptyJson(app)
  countClients(app, connections)
  cutSlowBodies(app, ctx.config.silentMs)
  registerHeaders(app, ctx.config)
  refuseSecondHost(app)
  compressAnswers(app)
  await app.register(cookie)
  const admit = createAdmission(ctx, (_, endpoint, request) =>
    authenticate(ctx, endpoint, request, prefetchers.get(endpoint)),
  )
  registerRoutes(app, ctx, { verbs, admit, record: recordChange })
  app.addHook('preClose', () => ctx.events.close())
  registerMetrics(app, ctx)
  registerMcp(app, ctx, admit)
  registerOauthMetadata(app, ctx)
  registerOpenApi(app, ctx.config)
  await registerStatic(app)
  return app
}

/** Written when it is first asked for: that takes as much processor time as the rest of a start. */
function registerOpenApi(app: FastifyInstance, config: Config): void {
  let document: Promise<string> | undefined
  const write = async (): Promise<string> => {
    const { openApiYaml } = await import('./http/openapi.ts')
    return openApiYaml(config)
  }
  app.get('/openapi.yaml', async (_request, reply) => {
    document ??= write()
    return reply.type('application/yaml').send(await document)
  })
}

/** Clients that always say application/json may have nothing to send. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) done(null, undefined)
    else void parse(request, text as string, done)
  })
  app.removeContentTypeParser('text/plain')
}
