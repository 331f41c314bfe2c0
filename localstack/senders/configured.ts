import type { Buffer } from 'node:buffer'
import type { EventPlace, Hmac, OwnSource, SignedTime, SourceConfig } from '../../lib/config.ts'
import { piecesOf } from '../../lib/webhooks/configured/template.ts'
import { isProvider } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import { type ProofTexts, rewritten, type Sample, type SampleMessage } from '../../lib/webhooks/sample.ts'
import { withSetting } from './values.ts'

/** Sample webhooks of a source that a team configured: those of its preset, or what its description makes of an event. */
export function configuredSample(source: SourceConfig): Sample | undefined {
  if (!('preset' in source)) return ownSample(source)
  return isProvider(source.preset) ? SAMPLES[source.preset] : undefined
}

function ownSample(source: OwnSource): Sample {
  const { event: { id: idPlace, type: typePlace } = {}, format } = source
  const parts = signedParts(source)
  return {
    events: ['example.created'],
    draft: (event, { id }) => ({
      ...parts,
      headers: { ...parts.headers, ...headerAt(idPlace, id), ...headerAt(typePlace, event) },
      body: [bodyAt(idPlace, id), bodyAt(typePlace, event)]
        .flat()
        .reduce<unknown>(withSetting, { message: 'an example' }),
    }),
    prove: (proof, message) => provenBy(source, proof, message),
    ...(format === 'form' && { isForm: true }),
  }
}

/** Headers and parameters of the query that nothing but the signed text names. */
function signedParts({ proof }: OwnSource) {
  const pieces = proof.kind === 'hmac' && proof.signed ? piecesOf(proof.signed) : []
  const all = typeof pieces === 'string' ? [] : pieces
  const names = all.flatMap((piece) => ('query' in piece ? [`${piece.query}=example`] : []))
  return {
    headers: Object.fromEntries(all.flatMap((piece) => ('header' in piece ? [[piece.header, 'example']] : []))),
    ...(names.length > 0 && { query: names.join('&') }),
  }
}

function headerAt(place: EventPlace | undefined, value: string): Record<string, string> {
  return place && 'header' in place ? { [place.header.toLowerCase()]: value } : {}
}

function bodyAt(place: EventPlace | undefined, value: string) {
  return place && 'path' in place ? [{ path: place.path.split('.'), value }] : []
}

function provenBy({ proof }: OwnSource, texts: ProofTexts, message: SampleMessage): Partial<SampleMessage> {
  switch (proof.kind) {
    case 'basic':
      return { headers: { authorization: `Basic ${texts.base64}` } }
    case 'bearer':
      return { headers: { authorization: `Bearer ${texts.text}` } }
    case 'token':
      return { headers: { [proof.header.toLowerCase()]: texts.text } }
    case 'hmac':
      return signed(proof, texts, message)
  }
}

function signed(proof: Hmac, texts: ProofTexts, { body }: SampleMessage): Partial<SampleMessage> {
  const { time, prefix = '', encoding = 'hex', separator = '' } = proof
  const at = time && timeText(time, texts)
  const signature = `${prefix}${texts[encoding]}`
  const elements = time && 'prefix' in time ? [`${time.prefix}${at}`, signature] : [signature]
  const headers = { [proof.header.toLowerCase()]: elements.join(separator) }
  if (!time || at === undefined || 'prefix' in time) return { headers }
  return 'header' in time
    ? { headers: { ...headers, [time.header.toLowerCase()]: at } }
    : { headers, body: timedBody(body, time.path, at) }
}

function timedBody(body: Buffer, path: string, at: string): Buffer {
  return rewritten(body, (values) => withSetting(values, { path: path.split('.'), value: at }))
}

function timeText({ unit = 's' }: SignedTime, { seconds, milliseconds, instant }: ProofTexts): string {
  return { s: seconds, ms: milliseconds, rfc3339: instant }[unit]
}
