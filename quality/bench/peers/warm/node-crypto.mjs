import { Buffer } from 'node:buffer'
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { KEY } from '../../key.ts'
import { greeting, refusal } from '../shared/settings.mjs'

const key = createSecretKey(KEY)
const HEADERS = { 'content-type': 'application/json' }
const answer = (statusCode, body) => ({ statusCode, headers: HEADERS, body: JSON.stringify(body) })

/** The least that checks a token each time: one HMAC, one comparison, one parse. */
export async function handler({ headers }) {
  const token = headers['authorization']?.slice('Bearer '.length) ?? ''
  const dot = token.lastIndexOf('.')
  const mac = createHmac('sha512', key).update(token.slice(0, dot)).digest()
  const given = Buffer.from(token.slice(dot + 1), 'base64url')
  if (given.length !== mac.length || !timingSafeEqual(given, mac)) return answer(401, refusal(401, 'Invalid token'))
  const text = Buffer.from(token.slice(token.indexOf('.') + 1, dot), 'base64url').toString()
  const claims = JSON.parse(text)
  if (claims.exp <= Date.now() / 1000) return answer(401, refusal(401, 'Expired token'))
  return claims.role === 'ROLE_ADMIN' ? answer(200, greeting(claims)) : answer(403, refusal(403, 'Access denied'))
}
