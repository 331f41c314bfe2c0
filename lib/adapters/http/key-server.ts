import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import type { KeyServer } from '../../webhooks/rotating-keys.ts'
import type { KeyAnswer, KeyRequest } from '../../webhooks/schemes/rotation.ts'

/** For the name, the connection and the answer together, in milliseconds. */
const TIMEOUT = 2000

/** More than any key, certificate or set of keys takes. */
const MAXIMUM_BYTES = 65_536

/** Asks over https alone; follows no redirect. */
export function httpsKeyServer(options: Pick<RequestOptions, 'ca'> = {}): KeyServer {
  return {
    ask({ url, body }) {
      const { promise, resolve, reject } = Promise.withResolvers<KeyAnswer>()
      const outgoing = request(url, { ...options, ...sent(body), agent: false, signal: AbortSignal.timeout(TIMEOUT) })
      outgoing.on('response', (answer) => wholeAnswer(answer).then(resolve, reject))
      outgoing.on('error', reject)
      outgoing.end(body)
      return promise.finally(() => outgoing.destroy())
    },
  }
}

function sent(body: KeyRequest['body']): RequestOptions {
  if (body === undefined) return { method: 'GET' }
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  }
}

async function wholeAnswer(answer: IncomingMessage): Promise<KeyAnswer> {
  const { statusCode: status = 0 } = answer
  if (status >= 300 && status < 400) throw new Error('the key server answered with a redirect')
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of answer) {
    length += piece.length
    if (length > MAXIMUM_BYTES) throw new Error('the key server sent too much')
    pieces.push(piece)
  }
  return { status, body: Buffer.concat(pieces) }
}
