/** More than any form has that we read. */
const MAXIMUM_FIELDS = 1000

/**
 * The names and values of `application/x-www-form-urlencoded` text (WHATWG URL, section 5.1). Undefined beyond a thousand
 * of them: Node takes minutes for a million.
 */
export function formFields(text: string): readonly (readonly [name: string, value: string])[] | undefined {
  const isTooMuch = text.split('&', MAXIMUM_FIELDS + 1).length > MAXIMUM_FIELDS
  return isTooMuch ? undefined : [...new URLSearchParams(text)]
}
