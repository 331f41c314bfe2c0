import { Buffer } from 'node:buffer'
import { apiError, WEBHOOK_ERROR } from '../../lib/contract/error-schemas.ts'
import { CATALOG, type ErrorCode } from '../../lib/errors.ts'
import { NoAnswer, Refuted } from './check.ts'

/** A complete answer. */
export interface StageReply {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Undefined if the body is no JSON. */
  readonly json: unknown
}

/** @throws NoAnswer when the connection ends within the body */
export async function readReply(path: string, response: Response): Promise<StageReply> {
  const { status, headers } = response
  const body = await response.arrayBuffer().then(Buffer.from, (cause) => {
    throw new NoAnswer(path, cause)
  })
  return { status, headers, body, json: jsonOf(body) }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The texts of API Gateway's own answers (localstack/strict/rules.ts). */
const OF_THE_GATEWAY = [
  'Bad Request',
  'Forbidden',
  'Internal Server Error',
  'Not Found',
  'Request Entity Too Large',
  'Request Header Fields Too Large',
  'Service Unavailable',
  'Too Many Requests',
]

/** The sender of an answer, in words; quotes only known texts. */
export function makerOf({ status, json, body }: StageReply): string {
  const code = codeOf(status, json)
  if (code) return `ours, ${code}`
  const { message } = Object(json) as { message?: unknown }
  if (OF_THE_GATEWAY.includes(String(message))) return `the gateway's own, {"message":"${message}"}`
  return body.length === 0 ? 'an empty body' : `another body of ${body.length} bytes`
}

/** The code of our error that a body contains, in the shape of the API or of webhooks. */
function codeOf(status: number, json: unknown): ErrorCode | undefined {
  const codes = (Object.keys(CATALOG) as ErrorCode[]).filter((name) => CATALOG[name].status === status)
  const code = codes.find((name) => apiError(name).safeParse(json).success)
  const { success, data } = WEBHOOK_ERROR.safeParse(json)
  return code ?? (success ? codes.find((name) => CATALOG[name].message === data.message) : undefined)
}

/** @returns the answer, in words. @throws Refuted unless it is this error in the shape of the API */
export function refusedWith(code: ErrorCode, answer: StageReply): string {
  const { status } = CATALOG[code]
  const seen = `${answer.status}, ${makerOf(answer)}`
  const isSuch = answer.status === status && apiError(code).safeParse(answer.json).success
  if (!isSuch) throw new Refuted(`${seen}; wanted ${status} ${code} in the shape of our errors`)
  return seen
}

/** @throws Refuted unless it has the status */
export function answeredWith(status: number, answer: StageReply): StageReply {
  if (answer.status !== status) throw new Refuted(`${answer.status}, ${makerOf(answer)}; wanted ${status}`)
  return answer
}
