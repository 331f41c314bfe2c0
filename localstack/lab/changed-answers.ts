import { Buffer } from 'node:buffer'
import { type SeenCall, TOKEN_LOGIN } from './call.ts'
import { headerIn, type LabAnswer, withHeader } from './exchange.ts'
import { SKEW } from './tokens.ts'

/** The token of a login's answer; undefined for any other answer. */
export function issuedToken({ status, body }: LabAnswer, { path }: Pick<SeenCall, 'path'>): string | undefined {
  return status === 200 && path === TOKEN_LOGIN ? JSON.parse(body.toString()).token : undefined
}

/** The answer of a login with another token; any other answer as it is. */
export async function withToken(
  answer: LabAnswer,
  call: Pick<SeenCall, 'path'>,
  change: (token: string) => Promise<string>,
): Promise<LabAnswer> {
  const token = issuedToken(answer, call)
  if (token === undefined) return answer
  const body = JSON.stringify({ ...JSON.parse(answer.body.toString()), token: await change(token) })
  return { ...answer, body: Buffer.from(body) }
}

const INSTANT = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g

/** The answer as a service gives it whose clock is behind: in `Date`, and in the members of its JSON that are times. */
export function shiftedTimes(answer: LabAnswer): LabAnswer {
  const { headers, body } = answer
  const date = headerIn(headers, 'date')
  const isJson = headerIn(headers, 'content-type')?.startsWith('application/json')
  const shifted = () => body.toString().replace(INSTANT, (_, time) => `"${earlier(time).toISOString()}"`)
  return {
    ...answer,
    headers: date === undefined ? headers : withHeader(headers, 'date', earlier(date).toUTCString()),
    body: isJson ? Buffer.from(shifted()) : body,
  }
}

function earlier(time: string): Date {
  return new Date(Date.parse(time) - SKEW * 1000)
}

/** AWS gives the challenge another name. */
const CHALLENGES = ['www-authenticate', 'x-amzn-remapped-www-authenticate']

/** RFC 9449 section 7.1: a token for it is bound to a key, which no bearer token is. */
const OTHER_CHALLENGE = 'DPoP realm="API", algs="ES256"'

export function withOtherChallenge(answer: LabAnswer): LabAnswer {
  const others = answer.headers.filter(([name]) => !CHALLENGES.includes(name))
  return { ...answer, headers: [...others, ['www-authenticate', OTHER_CHALLENGE]] }
}

/** The scheme of the challenge. */
export function challengeIn({ headers }: LabAnswer): string | undefined {
  return headers.find(([name]) => CHALLENGES.includes(name))?.[1].split(' ', 1)[0]
}
