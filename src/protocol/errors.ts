/** THE error table: every error code of the API, with its HTTP status. A code that is not here does not compile. */
export const statusByCode = {
  // transport
  bad_json: 400,
  invalid_input: 400,
  payload_too_large: 413,
  unsupported_media_type: 415,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  halted: 503,
  // money
  amount_format: 400,
  amount_precision: 400,
  amount_zero: 400,
  amount_below_minimum: 400,
  amount_above_limit: 400,
  insufficient_balance: 400,
  already_recorded: 400,
  nothing_to_share: 400,
  duel_not_kept: 400,
  idempotency_mismatch: 409,
  idempotency_key_required: 400,
  amount_mismatch: 409,
  // identity
  unauthenticated: 401,
  proof_required: 401,
  forbidden: 403,
  sign_in_refused: 401,
  wallet_unregistered: 404,
  wallet_taken: 409,
  username_taken: 409,
  username_reserved: 400,
  unknown_referral_code: 404,
  unknown_user: 404,
  user_frozen: 403,
  signature_refused: 403,
  signature_required: 403,
  declaration_required: 403,
  deletion_refused: 409,
  country_blocked: 403,
  // plans, rewards
  unknown_order: 404,
  source_mismatch: 409,
  payment_refused: 400,
  payment_used: 409,
  chain_unavailable: 503,
  not_eligible: 400,
  nothing_to_pay: 400,
  // games, wellness, support
  round_closed: 409,
  round_full: 409,
  limit_reached: 403,
  self_excluded: 403,
  game_over: 409,
  shot_refused: 409,
  score_mismatch: 409,
  import_refused: 400,
  too_early: 409,
  request_closed: 409,
} as const

export type ErrorCode = keyof typeof statusByCode

/** An error the caller can understand and act on. Anything else thrown is our bug and is returned as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  /** Sent as the Retry-After header. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, field?: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.field = field
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The one error shape on the wire. `Msg` is the spec's name, `message` the usual one. */
export type ErrorBody = {
  status: 'error'
  Msg: string
  message: string
  code: ErrorCode
  field?: string
  request_id: string
}

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { code, message, field } = error
  return { status: 'error', Msg: message, message, code, ...(field && { field }), request_id: requestId }
}
