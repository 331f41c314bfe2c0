import { Buffer } from 'node:buffer'
import type * as z from 'zod/mini'
import { onlyAuthorization } from '../../lib/auth/authorization.ts'
import type { EndpointName } from '../../lib/contract/gen/endpoints.ts'
import { invalid, ServiceError } from '../../lib/errors.ts'
import { checkedFields } from '../../lib/http/form.ts'
import { json } from '../../lib/http/json.ts'
import type { HttpEvent } from '../../lib/http/message.ts'
import { readInput } from '../../lib/http/middleware/validate.ts'
import { readQuery } from '../../lib/http/query.ts'
import { readChallenge } from '../../lib/webhooks/challenge.ts'
import { readPayload } from '../../lib/webhooks/payload.ts'
import { trustStored } from '../../lib/webhooks/verify.ts'
import { ENDPOINTS } from '../endpoints.ts'

type Invalid = ServiceError<'VALIDATION_FAILED'>

/** Endpoints whose rule is in their own code. */
const OWN: Readonly<Partial<Record<EndpointName, () => unknown>>> = {
  logout: () => {
    throw invalid([
      {
        path: ['everywhere'],
        message: 'must be true: a token ends only together with all sessions and tokens of its account',
      },
    ])
  },
  webhookGithub: () => {
    throw invalid([{ path: ['x-github-event'], message: 'is required' }])
  },
  webhookProvider: () => readChallenge('', ['validationToken']),
}

/** Inputs of which each schema refuses at least one. */
const BODIES = ['{}', '{"unknown":true}', '[]']
const VALUES = ['0', 'unknown']

/** How the service refuses a wrong input of an endpoint: by the reader that the endpoint has. */
export function invalidInputOf(name: EndpointName): Invalid {
  const { reads = {}, payload } = ENDPOINTS[name].about
  const { form, json: body, query, challenge } = reads
  const names = Object.keys(query?._zod.def.shape ?? {}).reverse()
  const own = OWN[name]
  const tries: readonly (() => unknown)[] = [
    ...(own ? [own] : []),
    ...(payload
      ? [() => readPayload(payload as z.ZodMiniType, { body: trustStored(Buffer.from('{}')), headers: {} })]
      : []),
    ...(form
      ? [() => checkedFields({ schema: form as z.ZodMiniObject, secret: ['password'] }, { given: {}, faults: {} })]
      : []),
    ...(body ? BODIES.map((text) => () => readInput(json(body as z.ZodMiniType), jsonEvent(text))) : []),
    ...(query
      ? VALUES.flatMap((value) => names.map((one) => () => readQuery(`${one}=${value}`, query as z.ZodMiniObject)))
      : []),
    ...(challenge ? [() => readChallenge('', Object.keys(challenge).slice(0, 1))] : []),
    () => onlyAuthorization('Bearer a, Bearer b'),
  ]
  const [refusal] = tries.values().flatMap(refusalOf)
  if (refusal === undefined) throw new Error(`${name} takes anything`)
  return refusal
}

function refusalOf(attempt: () => unknown): readonly Invalid[] {
  try {
    attempt()
    return []
  } catch (error) {
    if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) return [error]
    throw error
  }
}

function jsonEvent(body: string): HttpEvent {
  return { headers: { 'content-type': 'application/json' }, body, isBase64Encoded: false } as unknown as HttpEvent
}
