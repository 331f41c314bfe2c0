import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { type Finding, passed } from '../../../infra/finding.ts'
import { destinationsOf } from '../../../lib/deliver/configured/destinations.ts'
import type { Team } from '../../../lib/deliver/handler-file.ts'
import { unmetBy } from '../../../lib/deliver/match.ts'
import { PROOF_LEVELS, UNPROVEN } from '../../../lib/webhooks/event.ts'
import { StartError } from '../../errors.ts'
import { readJson } from '../../signatures.ts'

const optional = z.pipe(
  z.nullish(z.string()),
  z.transform((text) => text ?? undefined),
)

const storedEvent = z.object({
  source: z.string(),
  eventType: z.string(),
  headers: z._default(z.record(z.string(), z.string()), {}),
  payload: optional,
  payloadEncoding: z._default(z.enum(['utf8', 'base64']), 'utf8'),
  payloadTruncated: z._default(z.literal(false), false),
  proof: z.optional(
    z.object({
      level: z.enum(PROOF_LEVELS),
      key: optional,
      signedAt: z.pipe(
        optional,
        z.transform((text) => (text === undefined ? undefined : new Date(text))),
      ),
      typeSigned: z.boolean(),
      idSigned: z.boolean(),
      stale: z.optional(z.literal(true)),
    }),
  ),
})

/** For each destination and handler, whether it gets the event in a file, or what of it does not match. @throws StartError */
export function checkEvent(file: string, team: Team): readonly Finding[] {
  const { data: event } = z.safeParse(storedEvent, readJson(file))
  if (!event)
    throw new StartError(`${file}: is no whole event as GET /api/webhooks/events/{source}/{eventId} answers it`)
  const { payload, payloadEncoding, proof = UNPROVEN } = event
  const bytes = payload === undefined ? undefined : Buffer.from(payload, payloadEncoding)
  const unmet = unmetBy({ ...event, proof, payload: bytes })
  const destinations = destinationsOf(team, 'local')
  if (destinations.length === 0) return [passed('destinations', 'there are none')]
  return destinations.map((one) => {
    const fields = unmet(one)
    if (fields.length === 0) return passed(one.name, 'gets it')
    return { level: 'skipped', check: one.name, message: `does not get it: ${fields.join(', ')} does not match` }
  })
}
