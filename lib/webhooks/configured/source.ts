import type { EventPlace, OwnSource, SourceConfig } from '../../config.ts'
import { type Find, header, pick, valueAt } from '../find.ts'
import { parseFormOrJson, parsePayload } from '../form-payload.ts'
import type { IdentityRule, Path } from '../identity.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { providerOf } from '../providers/index.ts'
import { RETRY_HOURS } from '../retention/retention.ts'
import type { SignatureScheme } from '../schemes/scheme.ts'
import { basic, bearer, token } from '../schemes/token.ts'
import { USUAL_PLACES } from '../setup.ts'
import { hmacScheme } from './hmac.ts'
import { ruleOf } from './rules.ts'

/** The provider of a checked source, like those in the table. */
export function configuredProvider(source: SourceConfig): Provider {
  return 'preset' in source ? presetOf(source) : ownOf(source)
}

function presetOf({ preset, toleranceSeconds, repeats }: Extract<SourceConfig, { preset: string }>): Provider {
  const known = providerOf(preset)
  const scheme = toleranceSeconds === undefined ? known.scheme : { ...known.scheme, toleranceSeconds }
  if (!('identity' in known) || repeats === undefined) return { ...known, scheme }
  const chosen = (row: IdentityRule): IdentityRule =>
    row.rule === 'id+body' && row.repeats === undefined ? { ...row, repeats, equalTypes: undefined } : row
  const [one, ...others] = known.identity
  return { ...known, scheme, identity: [chosen(one), ...others.map(chosen)] }
}

function ownOf(source: OwnSource): Provider {
  const { event = {}, format = 'json', retryHours = RETRY_HOURS } = source
  const kept = [event.id, event.type].flatMap((place) =>
    place && 'header' in place ? [place.header.toLowerCase()] : [],
  )
  return {
    scheme: schemeOf(source),
    identity: [rowOf(source)],
    // A configured sender has no longer limit for late calls (webhooks-22).
    retries: retriesFor(retryHours, true),
    ...(event.type && { type: findAt(event.type) }),
    ...(source.setup && { setup: USUAL_PLACES }),
    keptHeaders: [...new Set(kept)],
    parse: { json: parsePayload, form: parseFormOrJson, bytes: () => undefined }[format],
  }
}

function schemeOf({ proof, event = {}, toleranceSeconds }: OwnSource): SignatureScheme {
  switch (proof.kind) {
    case 'hmac':
      return hmacScheme(
        proof,
        event.id && 'header' in event.id ? event.id.header.toLowerCase() : undefined,
        toleranceSeconds,
      )
    case 'basic':
      return basic
    case 'bearer':
      return bearer
    case 'token':
      return { ...token(({ headers }) => headers[proof.header.toLowerCase()]), header: proof.header.toLowerCase() }
  }
}

function rowOf(source: OwnSource): IdentityRule {
  const { event = {}, repeats, ignore } = source
  const marks = ignore && { retryMarks: ignore.map((path): Path => path.split('.')) }
  const rule = ruleOf(source)
  const id = event.id ? findAt(event.id) : () => undefined
  switch (rule) {
    case 'signed-id':
      return { rule, id, ...marks }
    case 'id+body':
      return { rule, id, ...(repeats && { repeats }), ...marks }
    default:
      return { rule, ...marks }
  }
}

/** A value that is no text is passed on unchanged, so that an unusable id does not look like a missing one. */
function findAt(place: EventPlace): Find {
  if ('header' in place) return header(place.header.toLowerCase())
  const path = place.path.split('.')
  return ({ payload }) => pick(payload, path) ?? valueAt(payload, path)
}
