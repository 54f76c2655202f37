/** Every status that the API answers with when it refuses, its codes, and what to do. */
export const errorRows: readonly { status: number; codes: readonly string[]; advice: string }[] = [
  {
    status: 400,
    codes: ['malformed', 'invalid_signature'],
    advice: 'We can’t read the request. Fix it; sending it again won’t help.',
  },
  {
    status: 401,
    codes: ['unauthenticated'],
    advice: 'No key, or one that is wrong, deleted or expired.',
  },
  {
    status: 402,
    codes: ['insufficient_credit', 'spend_limit', 'card_declined'],
    advice:
      'Too little credit, or a spend limit is reached; required_usd and available_usd say how much. Nothing was created.',
  },
  {
    status: 403,
    codes: ['forbidden'],
    advice:
      'A key cannot manage keys, cards, auto-reload or sessions, nor leave its scopes (missing_scope) or addresses.',
  },
  {
    status: 404,
    codes: ['not_found'],
    advice: 'It is not there, or not yours; the answer is the same.',
  },
  {
    status: 405,
    codes: ['method_not_allowed'],
    advice: 'The address exists, the method does not.',
  },
  {
    status: 408,
    codes: ['request_timeout'],
    advice: 'The body took too long to arrive. Send it again.',
  },
  {
    status: 409,
    codes: ['duplicate', 'in_flight', 'conflict'],
    advice:
      'Already in the library, still being worked on under the same key, or in a state that does not allow it.',
  },
  { status: 410, codes: ['gone'], advice: 'It has been removed for good.' },
  {
    status: 412,
    codes: ['precondition_failed'],
    advice: 'A resumable upload spoke another protocol version.',
  },
  { status: 413, codes: ['too_large'], advice: 'The file or the body is above its limit.' },
  { status: 415, codes: ['unsupported_type'], advice: 'Send JSON, or multipart for uploads.' },
  {
    status: 416,
    codes: ['range_not_satisfiable'],
    advice: 'The byte range lies outside the file.',
  },
  {
    status: 422,
    codes: [
      'invalid',
      'idempotency_mismatch',
      'limit_reached',
      'unsupported_source',
      'fetch_failed',
      'probe_failed',
      'no_audio',
      'no_video',
      'too_long',
      'extractor_failed',
      'timeout',
      'canceled',
    ],
    advice: 'Understood, but not possible; message says which field, file or limit and why.',
  },
  {
    status: 423,
    codes: ['locked'],
    advice: 'A resumable upload is held by another request. Wait for the seconds of Retry-After.',
  },
  {
    status: 429,
    codes: ['rate_limited'],
    advice: 'Too many requests. Wait for the seconds that Retry-After gives.',
  },
  {
    status: 500,
    codes: ['internal'],
    advice: 'Our fault. Send it again with the same Idempotency-Key.',
  },
  {
    status: 503,
    codes: ['unavailable', 'interrupted'],
    advice:
      'A part we depend on is not responding. Retry in a moment. After interrupted the call may have taken effect: send it again with the same Idempotency-Key.',
  },
  { status: 507, codes: ['storage_full'], advice: 'No room for the upload right now.' },
]
