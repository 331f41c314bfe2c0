import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TokenKey } from '../../lib/auth/signing-key.ts'
import { fail, ServiceError, unavailable } from '../../lib/errors.ts'
import { type Clock, systemClock } from '../../lib/runtime/clock.ts'
import type { Home } from '../guard.ts'
import { rawPathOf, rawQueryOf } from '../sent-target.ts'
import { allowingName, labAnswers } from './answers.ts'
import { isApiPath } from './api-path.ts'
import { openBook } from './book.ts'
import { type LabAnswer, passOn, sentHeaders } from './exchange.ts'
import { faultCall } from './fault-call.ts'
import { isFault } from './faults.ts'
import { labResources } from './resources.ts'
import { labTokens } from './tokens.ts'

/** The run that the lab belongs to. */
export interface LabRun extends Home {
  /** At which the real endpoints answer. */
  readonly port: number
  /** With which the service signs tokens. */
  readonly keys: readonly TokenKey[]
}

const FAULT_ADDRESS = /^\/lab\/([a-z-]+)(\/.*)$/

/** Answers the requests below `/lab`; it never rejects. */
export function openLab(run: LabRun, clock: Clock = systemClock) {
  const book = openBook()
  const tokens = labTokens(run.keys)
  const { answer, refusal } = labAnswers(run)
  const reply = labResources({ book, clock, baseUrl: run.baseUrl })

  async function answerTo(incoming: IncomingMessage, path: string): Promise<LabAnswer> {
    const { method = 'GET', url = '/' } = incoming
    const headers = sentHeaders(incoming)
    const [, fault = '', below = ''] = FAULT_ADDRESS.exec(path) ?? []
    if (!isFault(fault)) return answer(await reply(method, path), { headers })
    if (!isApiPath(below)) throw fail('ENDPOINT_NOT_FOUND')
    const query = rawQueryOf(url)
    const request = { method, path: below, target: query === '' ? below : `${below}?${query}`, headers }
    if (method === 'OPTIONS') return allowingName(await passOn(request, incoming, run.port))
    return faultCall(fault, request, {
      book,
      tokens,
      clock,
      passOn: (changed) => passOn(changed, incoming, run.port),
      refusalOf: (given) => refusal(given, request, path, clock.now()),
    })
  }

  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = rawPathOf(incoming.url ?? '/')
    try {
      send(await answerTo(incoming, path), incoming, response)
    } catch (thrown) {
      const error = thrown instanceof ServiceError ? thrown : unavailable(thrown)
      send(refusal({ error }, { headers: sentHeaders(incoming) }, path, clock.now()), incoming, response)
    }
  }
}

function send({ status, headers, body }: LabAnswer, incoming: IncomingMessage, response: ServerResponse): void {
  incoming.resume()
  if (response.destroyed) return
  for (const name of new Set(headers.map(([name]) => name))) response.removeHeader(name)
  for (const [name, value] of headers) response.appendHeader(name, value)
  if (status !== 204 && status !== 304) response.setHeader('content-length', body.length)
  response.writeHead(status).end(incoming.method === 'HEAD' ? undefined : body)
}
