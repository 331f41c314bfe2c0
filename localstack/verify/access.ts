import { randomUUID } from 'node:crypto'
import { PROFILES } from '../../lib/auth/profile.ts'
import { ALWAYS, OVER_HTTPS } from '../../lib/http/security-headers.ts'
import { profileAt } from '../operator/service-profile.ts'
import { type Check, holds, type Seen, Untried } from './check.ts'
import type { DeployedStage } from './deployed-stage.ts'
import { answeredWith, refusedWith, type StageReply } from './reply.ts'

const HELLO = '/api/public/hello'

export const tryHello: Check = async ({ call }) => {
  const { json } = answeredWith(200, await call(HELLO))
  holds(typeof Object(json).message === 'string', '200, but without a greeting')
  return '200'
}

export const trySecurityHeaders: Check = async ({ call, url }) => {
  const { headers } = await call(HELLO)
  const wanted = Object.entries(url.protocol === 'https:' ? OVER_HTTPS : ALWAYS)
  const wrong = wanted.filter(([name, value]) => headers.get(name) !== value).map(([name]) => name)
  holds(wrong.length === 0, `missing or different: ${wrong.join(', ')}`)
  return `all ${wanted.length}`
}

export const tryUnknownPath: Check = async ({ call }) =>
  refusedWith('ENDPOINT_NOT_FOUND', await call('/verify/nothing'))

export const tryWrongMethod: Check = async ({ call }) => {
  const answer = await call(HELLO, { method: 'DELETE' })
  const seen = refusedWith('METHOD_NOT_SUPPORTED', answer)
  holds(answer.headers.get('allow')?.includes('GET'), `${seen}; Allow does not name GET`)
  return seen
}

export const tryErrorPath: Check = async ({ call }) => {
  const sent = '/verify/n%C3%B6thing%20here'
  const answer = await call(`${sent}?q=1`)
  refusedWith('ENDPOINT_NOT_FOUND', answer)
  const { path } = Object(answer.json) as { path?: unknown }
  holds(path === sent, `the error names another path than ${sent}`)
  return sent
}

export const tryChallenge: Check = async ({ call }) => {
  const answer = await call('/api/auth/info')
  return challenged(refusedWith('AUTHENTICATION_REQUIRED', answer), answer)
}

export const tryBadToken: Check = async (stage) => {
  await takesTokens(stage)
  const headers = { authorization: `Bearer verify.${randomUUID()}.none` }
  const answer = await stage.call('/api/auth/info', { headers })
  return challenged(refusedWith('TOKEN_INVALID', answer), answer)
}

const REMAPPED = 'x-amzn-remapped-www-authenticate'

function challenged(seen: string, { headers }: StageReply): Seen {
  if (headers.has('www-authenticate')) return `${seen}; WWW-Authenticate`
  holds(headers.has(REMAPPED), `${seen}; no WWW-Authenticate`)
  return {
    level: 'warn',
    seen: `${seen}; WWW-Authenticate arrives as ${REMAPPED}, the deviation without CloudFront that docs/api.md names`,
  }
}

export const tryAdmin: Check = async (stage) => {
  const { json } = answeredWith(200, await stage.call('/api/admin/secure', { headers: await stage.admin() }))
  holds(Object(json).user, '200, but names no user')
  return '200'
}

export const tryRoleRefused: Check = async (stage) => {
  await takesTokens(stage)
  const headers = { authorization: `Bearer ${await stage.plainToken()}` }
  return refusedWith('ROLE_REQUIRED', await stage.call('/api/admin/secure', { headers }))
}

async function takesTokens({ ask }: DeployedStage): Promise<void> {
  const profile = await profileAt(ask)
  if (!PROFILES[profile].bearer) throw new Untried(`the profile ${profile} takes no tokens over HTTP`)
}

export const tryForeignOrigin: Check = async ({ call }) => {
  const origin = 'https://verify.invalid'
  const preflight = { origin, 'access-control-request-method': 'GET' }
  const answers = [
    await call(HELLO, { headers: { origin } }),
    await call(HELLO, { method: 'OPTIONS', headers: preflight }),
  ]
  const leaked = answers.flatMap(({ headers }) =>
    [...headers.keys()].filter((name) => name.startsWith('access-control-')),
  )
  holds(leaked.length === 0, `it gets ${[...new Set(leaked)].join(', ')}`)
  return `no header; the preflight is ${answers[1]?.status}`
}
