import { Buffer, isUtf8 } from 'node:buffer'
import * as z from 'zod/mini'
import { type AsciiJson, asciiJson } from '../../runtime/message-text.ts'
import type { BusMessage } from '../../stomp/bus.ts'

/** Messages that one instance sends to all others together. */
export interface Numbering {
  /** Names the instance. */
  readonly origin: string
  /** 1, 2, 3 and so on for an origin. */
  readonly number: number
  /** The number of the last publication before this one that was sent; those between were given up. */
  readonly after: number
}

/** A publication as it arrives: whole, or a part of one that SNS does not take in one piece. */
export interface Arrived extends Numbering {
  /** From 0. */
  readonly part: number
  readonly parts: number
  /** The messages, or a piece of them in Base64. */
  readonly content: readonly BusMessage[] | string
}

/**
 * The attribute that names the sender. Each instance's subscription filters out its own publications by it. SNS
 * delivers nothing that lacks the attribute (SNS developer guide, "Filter policy constraints").
 */
export const ORIGIN = 'origin'

/** SNS takes 262,144 bytes with the attributes (SNS API reference, Publish). */
export const MAXIMUM_BYTES = 250_000

const MAXIMUM_PARTS = 200

const travelling = z.object({
  destination: z.string(),
  user: z.exactOptional(z.string()),
  headers: z.record(z.string(), z.string()),
  text: z.exactOptional(z.string()),
  base64: z.exactOptional(z.base64()),
})

/** A message read from a publication. */
export const message: z.ZodMiniType<BusMessage> = z.pipe(
  travelling,
  z.transform(({ text, base64, ...rest }) => ({
    ...rest,
    body: text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text),
  })),
)

const messages: z.ZodMiniType<readonly BusMessage[]> = z.array(message)

const place = {
  origin: z.string(),
  number: z.int().check(z.minimum(1)),
  after: z.int().check(z.minimum(0)),
}

export const arrived: z.ZodMiniType<Arrived> = z.union([
  z.pipe(
    z.object({ ...place, messages }),
    z.transform(({ messages: content, ...rest }) => ({ ...rest, part: 0, parts: 1, content })),
  ),
  z.object({
    ...place,
    part: z.int().check(z.minimum(0), z.maximum(MAXIMUM_PARTS - 1)),
    parts: z.int().check(z.minimum(2), z.maximum(MAXIMUM_PARTS)),
    content: z.base64(),
  }),
])

/** The text of a message inside a publication. */
export function messageText({ body, ...message }: BusMessage): AsciiJson {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const content = isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString('base64') }
  return asciiJson({ ...message, ...content })
}

/** What SNS gets for a publication, in order. @param texts of its messages */
export function textsOf(place: Numbering, texts: readonly AsciiJson[]): readonly AsciiJson[] {
  const list = `[${texts.join()}]`
  const head = asciiJson(place).slice(0, -1)
  if (list.length <= MAXIMUM_BYTES) return [`${head},"messages":${list}}` as AsciiJson]
  const whole = Buffer.from(list).toString('base64')
  const parts = Math.ceil(whole.length / MAXIMUM_BYTES)
  return Array.from({ length: parts }, (_, part) => {
    const content = whole.slice(part * MAXIMUM_BYTES, (part + 1) * MAXIMUM_BYTES)
    return asciiJson({ ...place, part, parts, content })
  })
}

/** The messages of these parts; undefined if they are no publication of ours. */
export function messagesIn(parts: readonly string[]): readonly BusMessage[] | undefined {
  try {
    return z.safeParse(messages, JSON.parse(Buffer.from(parts.join(''), 'base64').toString())).data
  } catch {
    return undefined
  }
}
