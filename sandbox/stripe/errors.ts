/** Errors with the provider's statuses and bodies. */
export type ErrorBody = {
  type: string
  code?: string
  message: string
  param?: string
  decline_code?: string
  [more: string]: unknown
}

export class ApiError extends Error {
  status: number
  body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body =
      body.code === undefined
        ? body
        : {
            ...body,
            doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}`,
          }
  }
}

export function missingResource(noun: string, id: string, param = 'id'): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${noun}: '${id}'`,
    param,
  })
}

export function invalidRequest(message: string, more: Partial<ErrorBody> = {}): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, ...more })
}
