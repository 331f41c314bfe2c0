import { env } from 'node:process'
import { receiver } from '../shared/receiver.mjs'

export const receive = (keep) => receiver(keep).listen(Number(env.PORT), '127.0.0.1')

/** Hands an event on. */
export async function deliver(event) {
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(15_000)
  const response = await fetch(env.TARGET, { method: 'POST', headers, body: JSON.stringify(event), signal })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${env.TARGET} answers ${response.status}`)
}
