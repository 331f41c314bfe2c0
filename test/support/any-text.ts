import fc from 'fast-check'

const codePoint = fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))

const character = codePoint.map((point) => String.fromCodePoint(point))

/** Texts of every character of Unicode; the same as fast-check's `binary`, which first lists them all for a second. */
export function anyText(lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.string({ ...lengths, unit: character })
}
