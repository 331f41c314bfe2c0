import * as z from 'zod/mini'
import { localTime } from './event-filter.ts'
import { closed, shortText } from './text.ts'

const METHOD = 'must be a method in capitals'
const URL_RULE = 'must be a path or an address of at most 4096 characters'
const HEADERS = 'must be texts by their names, of at most 16,384 characters together'
const BASE64 = 'must be base64'

const MAXIMUM_HEADERS = 16_384

function isTarget(text: string): boolean {
  return text.length <= 4096 && (text.startsWith('/') || URL.canParse(text))
}

function areShort(headers: Readonly<Record<string, string>>): boolean {
  return Object.entries(headers).flat().join('').length <= MAXIMUM_HEADERS
}

/** A webhook call as it was recorded. */
const request = z.strictObject(
  {
    method: z._default(z.string(METHOD).check(z.regex(/^[A-Z]{1,16}$/, METHOD)), 'POST'),
    /** Where it was sent, of which some providers sign; the source's own address if absent. */
    url: z.optional(z.string(URL_RULE).check(z.refine(isTarget, URL_RULE))),
    headers: z.record(z.string(), z.string(HEADERS), HEADERS).check(z.refine(areShort, HEADERS)),
    bodyBase64: z.string(BASE64).check(z.base64(BASE64)),
  },
  { error: closed },
)

/** What is asked about a recorded call: judged as one of this source at this time, now if absent. */
export const recordedCall = z.strictObject({ source: shortText, request, at: z.optional(localTime) }, { error: closed })
