import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { claims, encode, forge, HEADER } from '../../../test/support/forge.ts'
import { lambdaEvent } from '../../../test/support/lambda-event.ts'
import { effort } from '../effort.ts'
import { KEY } from '../key.ts'

/** One kind of call, as the texts of the events that a function gets in turn. */
export interface Case {
  readonly name: string
  readonly status: number
  readonly events: readonly string[]
}

/** More than any cache of tokens here holds, so that each is new when its turn comes again. */
const NEW_TOKENS = effort(20_000, 100)

export function cases(): readonly Case[] {
  const admin = () => tokenOf({ sub: 'admin', role: 'ROLE_ADMIN', jti: randomUUID() })
  const forged = `${admin().split('.').slice(0, 2).join('.')}.${encode(Buffer.alloc(64, 1))}`
  return [
    { name: '200, the token seen before', status: 200, events: [eventWith(admin())] },
    { name: '200, every token new', status: 200, events: Array.from({ length: NEW_TOKENS }, () => eventWith(admin())) },
    { name: '401, a bad signature', status: 401, events: [eventWith(forged)] },
    { name: '403, another role', status: 403, events: [eventWith(tokenOf({ sub: 'user', role: 'ROLE_USER' }))] },
  ]
}

function tokenOf(changes: Record<string, string>): string {
  return forge(claims(changes), HEADER, 'sha512', KEY.toString('base64url'))
}

function eventWith(token: string): string {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    authorization: `Bearer ${token}`,
    host: 'api.example',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
    'x-amzn-trace-id': 'Root=1-65a5f0d0-0123456789abcdef01234567',
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
  }
  return JSON.stringify(lambdaEvent('GET', '/api/admin/secure', { headers }))
}
