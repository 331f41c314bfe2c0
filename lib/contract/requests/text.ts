import * as z from 'zod/mini'

const RULE = 'must be 1 to 256 characters without control characters'

/** A name, a part of one, or a few words. */
export const shortText = z.string(RULE).check(z.regex(/^[^\p{Cc}\p{Cs}]{1,256}$/u, RULE))

/** The message for an unknown property of an object, or for a value that is no object. */
export function closed({ code }: { readonly code: string }): string {
  return code === 'unrecognized_keys' ? 'is not known' : 'must be a JSON object'
}
