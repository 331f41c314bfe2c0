import * as z from 'zod/mini'
import { fail, invalid } from '../errors.ts'
import { toAmount } from '../payments/payment.ts'
import { fromLocalDateTime } from '../runtime/time.ts'
import { isIdentifier } from './identity.ts'
import { Numeral, parseJson } from './json.ts'
import type { VerifiedCall } from './source.ts'

const IDENTIFIER_RULE = 'must be 1 to 256 characters without control characters'

/** A name that another system gave; it becomes a key or an attribute in our store. */
export const identifier = z.string({ error: required }).check(z.refine(isIdentifier, IDENTIFIER_RULE))

/** A field that a sender may omit or set to null. */
export function absentable<T extends z.ZodMiniType>(field: T) {
  return z.pipe(
    z.nullish(field),
    z.transform((value) => value ?? undefined),
  )
}

/** An event id; an empty text counts as absent. */
const eventId = z.pipe(
  z.transform((value: unknown) => (value === '' ? undefined : value)),
  absentable(z.string('must be a text').check(z.refine(isIdentifier, IDENTIFIER_RULE))),
)

const localDateTime = z
  .string('must be a text')
  .check(z.refine((text) => fromLocalDateTime(text) !== undefined, 'must be a local date-time, YYYY-MM-DDTHH:mm:ss'))

/** The fields that every payload in JSON may have (webhooks-29). */
export const basePayload = {
  eventId,
  eventType: absentable(z.string('must be a text')),
  timestamp: absentable(localDateTime),
  source: absentable(z.string('must be a text')),
}

const AMOUNT_RULE = 'must be a decimal number of at least 0.01 with at most 38 digits'

/** A decimal amount, parsed from its source text; the JSON value is a number or a text. */
export const amount = z.pipe(
  z.union(
    [
      z.string(),
      z.pipe(
        z.instanceof(Numeral),
        z.transform(({ text }) => text),
      ),
    ],
    AMOUNT_RULE,
  ),
  z.pipe(z.transform(toAmount), z.string(AMOUNT_RULE)),
)

function required({ input }: { readonly input?: unknown }): string {
  return input === undefined || input === null ? 'is required' : 'must be a text'
}

/**
 * Parses the body of a webhook with its schema; ignores unknown properties.
 * @throws ServiceError `CODING_UNSUPPORTED`, `VALIDATION_FAILED` with every broken rule
 */
export function readPayload<S extends z.ZodMiniType>(schema: S, { body, headers }: VerifiedCall): z.output<S> {
  const given = headers['content-encoding']
  if (given !== undefined) throw fail('CODING_UNSUPPORTED', { given })
  const json = parseJson(body)
  const parsed = z.safeParse(schema, json instanceof Numeral ? json.text : json)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues)
}
