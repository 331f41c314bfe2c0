import type { Buffer } from 'node:buffer'
import type { Hmac, SignedTime } from '../../config.ts'
import { pick } from '../find.ts'
import { attempt, parseJson } from '../json.ts'
import { readBase64, readBase64url, readHex, readInstant, readMilliseconds, readSeconds } from '../schemes/encoding.ts'
import { HMAC_SHA256, hmac } from '../schemes/methods.ts'
import {
  demandFewBytes,
  OF_ANY_AGE,
  REFUSALS,
  type SenderClaim,
  type SignatureScheme,
  type SignedCall,
} from '../schemes/scheme.ts'
import { coversBody, isPart, isTimeOpen, piecesOf, signedContent } from './template.ts'

/** How far a signed time may be from ours unless the source says otherwise, in seconds. */
const TOLERANCE = 300

/** The scheme of a checked configuration. @param idHeader the header that `{id}` stands for */
export function hmacScheme(proof: Hmac, idHeader: string | undefined, toleranceSeconds = TOLERANCE): SignatureScheme {
  const { time, prefix = '', encoding = 'hex' } = proof
  const header = proof.header.toLowerCase()
  const method = methodOf(proof)
  const pieces = signedPieces(proof)
  const covers = coversBody(pieces) ? undefined : ({ covers: 'fields', fields: [] } as const)
  const headers = pieces.flatMap((piece) => {
    if ('header' in piece) return [piece.header]
    return idHeader !== undefined && isPart(piece, 'id') ? [idHeader] : []
  })
  const hasFixedTime = time?.unit !== 'rfc3339' && isTimeOpen(pieces)
  const readTime = timeReader(time, hasFixedTime)

  function read(call: SignedCall): SenderClaim | undefined {
    const elements = elementsIn(call.headers[header], proof)
    const signatures = elements.flatMap((element) => signatureIn(element, prefix, encoding))
    const timeText = time && textOfTime(time, call, elements)
    const id = idHeader === undefined ? undefined : call.headers[idHeader]
    const content = signedContent(pieces, call, { time: timeText, id }, hasFixedTime)
    if (signatures.length === 0 || !content) return undefined
    if (covers) demandFewBytes(call)
    return timed({ method, signatures, signed: () => content, headers, ...covers }, call, timeText)
  }

  function timed(claim: SenderClaim, { body }: SignedCall, timeText: string | undefined): SenderClaim | undefined {
    if (!time) return claim
    if ('path' in time) return { ...claim, confirm: () => signedTime(readTime(timeInBody(body, time.path))) }
    const known = signedTime(readTime(timeText))
    return known && { ...claim, ...known }
  }

  const readsBody = time !== undefined && 'path' in time
  return {
    header,
    methods: [method],
    read,
    readsBody,
    ...(time ? { toleranceSeconds, refusals: REFUSALS } : OF_ANY_AGE),
  }
}

/** The elements of the signature's header. */
function elementsIn(sent: string | undefined, { separator }: Hmac): readonly string[] {
  if (sent === undefined) return []
  return separator === undefined ? [sent] : sent.split(separator).map((element) => element.trim())
}

/** What the signature covers, in its order. @throws Error for a template that {@link piecesOf} refuses */
function signedPieces({ signed = '{body}' }: Hmac) {
  const pieces = piecesOf(signed)
  if (typeof pieces === 'string') throw new Error(pieces)
  return pieces
}

function methodOf({ hash = 'sha256', key = 'text' }: Hmac) {
  return hash === 'sha256' && key === 'text' ? HMAC_SHA256 : hmac(hash, key)
}

const DECODERS: Readonly<Record<NonNullable<Hmac['encoding']>, (text: string) => Buffer | undefined>> = {
  hex: (text) => readHex(text.toLowerCase()),
  base64: readBase64,
  base64url: (text) => readBase64url(text.replace(/={1,2}$/, '')),
}

function signatureIn(element: string, prefix: string, encoding: NonNullable<Hmac['encoding']>): readonly Buffer[] {
  const signature = element.startsWith(prefix) ? DECODERS[encoding](element.slice(prefix.length)) : undefined
  return signature ? [signature] : []
}

/** The time outside the body; of several elements none counts. */
function textOfTime(time: SignedTime, { headers }: SignedCall, elements: readonly string[]): string | undefined {
  if ('header' in time) return headers[time.header.toLowerCase()]
  if ('path' in time) return undefined
  const found = elements.filter((element) => element.startsWith(time.prefix))
  return found.length === 1 ? found[0]?.slice(time.prefix.length) : undefined
}

function timeInBody(body: Buffer, path: string): string | undefined {
  return pick(attempt(() => parseJson(body)).payload, path.split('.'))
}

function signedTime(signedAt: number | undefined): Pick<SenderClaim, 'signedAt'> | undefined {
  return signedAt === undefined ? undefined : { signedAt }
}

type ReadTime = (text: string | undefined) => number | undefined

function timeReader(time: SignedTime | undefined, isFixed: boolean): ReadTime {
  const [read, digits] = {
    s: [readSeconds, 10] as const,
    ms: [readMilliseconds, 13] as const,
    rfc3339: [readInstant, 0] as const,
  }[time?.unit ?? 's']
  return (text) => (text === undefined || (isFixed && text.length !== digits) ? undefined : read(text))
}
