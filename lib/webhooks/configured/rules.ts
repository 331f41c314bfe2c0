import type { DedupeRule, EventPlace, Hmac, OwnSource, PresetSource, SignedTime, SourceConfig } from '../../config.ts'
import { isProvider, PROVIDERS } from '../providers/index.ts'
import { GATEHOUSE, isSourceName } from '../source.ts'
import { broken, type FieldCheck, type Issue } from './schema.ts'
import { ambiguityOf, coversBody, isPart, isTimeOpen, type Piece, piecesOf } from './template.ts'

/** The endpoints with a route of their own. */
const TAKEN: readonly string[] = ['payment', 'order-status', 'stripe', 'github']

/** What such an endpoint takes, beside its own name as the preset. */
const TAKEN_FIELDS: readonly string[] = ['expectEvery', 'rateLimitPerMinute', 'maxBodyBytes']

/** Whether it is the name of a provider, or of an endpoint of its own. */
export const isPreset = (name: string): boolean => TAKEN.includes(name) || isProvider(name)

/** @param hasPreset whether the source is an account of a provider, or such an endpoint itself */
export function namingRules(name: string, hasPreset: boolean): readonly Issue[] {
  return broken([
    ['', 'as a name, must begin with a-z or 0-9 and have at most 64 of a-z, 0-9, . _ -', !isSourceName(name)],
    ['', 'as a name, is that of what the service says of itself', name === GATEHOUSE],
    ['', 'as a name, must not end in .verify, which a path never has', name.endsWith('.verify')],
    [
      '',
      `as a name, is known already: add preset: '${name}' for its settings, or choose another one`,
      isPreset(name) && !hasPreset,
    ],
  ])
}

/** The rules over several fields that a source violates. */
export function rulesOf(name: string, source: SourceConfig): readonly Issue[] {
  return broken('preset' in source ? presetRules(name, source) : ownRules(source))
}

function presetRules(name: string, source: PresetSource): readonly FieldCheck[] {
  const { preset, repeats, setup } = source
  const isOfAnother = isPreset(name) && name !== preset
  const others = Object.keys(source).filter((field) => field !== 'preset' && !TAKEN_FIELDS.includes(field))
  return [
    [
      '',
      `has an endpoint of its own and takes only ${TAKEN_FIELDS.join(', ')}, not ${others.join(', ')}`,
      TAKEN.includes(name) && others.length > 0,
    ],
    ['preset', `must be ${name}, because the name is that of this provider`, isOfAnother],
    ['preset', 'must be the name of a provider', !isOfAnother && name !== preset && !isProvider(preset)],
    [
      'repeats',
      `does not fit ${preset}: no unsigned id identifies its events`,
      repeats !== undefined && !comparesIds(preset),
    ],
    ['setup', `does not fit ${preset}: its calls hand no token over`, setup !== undefined && !handsOver(preset)],
  ]
}

function handsOver(preset: string): boolean {
  return isProvider(preset) && 'setup' in PROVIDERS[preset]
}

function comparesIds(preset: string): boolean {
  const provider = isProvider(preset) ? PROVIDERS[preset] : undefined
  const rows = provider && 'identity' in provider ? provider.identity : []
  return rows.some((row) => row.rule === 'id+body' && !('repeats' in row))
}

function ownRules(source: OwnSource): readonly FieldCheck[] {
  const { proof, repeats, toleranceSeconds, format = 'json', ignore = [] } = source
  const time = timeOf(source)
  const isNamedInBody = time !== undefined && 'path' in time
  return [
    ...(proof.kind === 'hmac' ? signingRules(proof, source.event?.id) : []),
    ...placeRules(source),
    ...dedupeRules(source),
    ['toleranceSeconds', 'needs a signed time: proof.time', toleranceSeconds !== undefined && !time],
    ['repeats', 'needs the rule id+body', repeats !== undefined && ruleOf(source) !== 'id+body'],
    ['ignore', 'needs the format json', format !== 'json' && ignore.length > 0],
    ['proof.time.path', 'needs the format json', format !== 'json' && isNamedInBody],
  ]
}

function signingRules(proof: Hmac, id: EventPlace | undefined): readonly FieldCheck[] {
  const pieces = piecesOf(proof.signed ?? '{body}')
  if (typeof pieces === 'string') return [['proof.signed', pieces, true]]
  const { time } = proof
  const ambiguity = ambiguityOf(pieces, isTimeOpen(pieces) && time?.unit !== 'rfc3339')
  const isTimeOutside = time !== undefined && !('path' in time)
  const has = (name: 'time' | 'id') => pieces.some((piece) => isPart(piece, name))
  return [
    ['proof.signed', ambiguity ?? '', ambiguity !== undefined],
    ['proof.signed', 'has {time}, but proof.time names no header or prefix', has('time') && !isTimeOutside],
    ['proof.signed', 'has {id}, but event.id names no header', has('id') && !isHeader(id)],
    ['proof.time', 'is not signed: {time} is missing in proof.signed', isTimeOutside && !has('time')],
    [
      'proof.time.path',
      'is not signed: {body} is missing in proof.signed',
      time !== undefined && !isTimeOutside && !coversBody(pieces),
    ],
    ...prefixRules(proof, time),
  ]
}

/** The header holds the time and the signatures as its elements: only their prefixes distinguish them. */
function prefixRules({ separator, prefix = '' }: Hmac, time: SignedTime | undefined): readonly FieldCheck[] {
  const given = time && 'prefix' in time ? time.prefix : undefined
  return [
    [
      'proof.time.prefix',
      'needs proof.separator, which ends the element',
      given !== undefined && separator === undefined,
    ],
    ['proof.time.prefix', 'must differ from proof.prefix', given !== undefined && given === prefix],
  ]
}

function placeRules({ proof, event = {}, format }: OwnSource): readonly FieldCheck[] {
  const secret = ['authorization', 'cookie', ...('header' in proof ? [proof.header.toLowerCase()] : [])]
  return Object.entries(event).flatMap(([name, place]): readonly FieldCheck[] => [
    [
      `event.${name}.header`,
      'must not be a header that proves the sender',
      isHeader(place) && secret.includes(place.header.toLowerCase()),
    ],
    [
      `event.${name}.path`,
      'needs a format that can be read',
      place !== undefined && 'path' in place && format === 'bytes',
    ],
  ])
}

function dedupeRules(source: OwnSource): readonly FieldCheck[] {
  const { rule, event, proof } = source
  const needsId = rule === 'signed-id' || rule === 'id+body'
  return [
    ['rule', `${rule} needs event.id`, needsId && !event?.id],
    [
      'rule',
      'this id is not signed: use id+body',
      rule === 'signed-id' && event?.id !== undefined && !isIdSigned(source),
    ],
    ['rule', 'time+body needs a signed time', rule === 'time+body' && !timeOf(source)],
    ['rule', 'window needs a signed body: use id+body or always-new', rule === 'window' && !isBodySigned(proof)],
  ]
}

/** The rule of a source: the configured one, else the strictest that its proof allows. */
export function ruleOf(source: OwnSource): DedupeRule {
  const { rule, event, proof } = source
  if (rule) return rule
  if (event?.id) return isIdSigned(source) ? 'signed-id' : 'id+body'
  if (proof.kind === 'hmac' && proof.time) return 'time+body'
  return isBodySigned(proof) ? 'window' : 'always-new'
}

function isBodySigned(proof: OwnSource['proof']): boolean {
  const pieces = proof.kind === 'hmac' ? piecesOf(proof.signed ?? '{body}') : []
  return typeof pieces !== 'string' && coversBody(pieces)
}

function isIdSigned({ proof, event }: OwnSource): boolean {
  const id = event?.id
  if (proof.kind !== 'hmac' || !id) return false
  return isHeader(id) ? isHeaderSigned(proof, id.header) : isBodySigned(proof)
}

function isHeaderSigned({ signed = '{body}' }: Hmac, name: string): boolean {
  const pieces = piecesOf(signed)
  const isIt = (piece: Piece) => isPart(piece, 'id') || ('header' in piece && piece.header === name.toLowerCase())
  return typeof pieces !== 'string' && pieces.some(isIt)
}

function timeOf({ proof }: OwnSource): SignedTime | undefined {
  return proof.kind === 'hmac' ? proof.time : undefined
}

function isHeader(place: EventPlace | undefined): place is { readonly header: string } {
  return place !== undefined && 'header' in place
}
