/** Licenses whose only condition is that they are distributed with the code. */
const NOTICE_ONLY = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0']

/** Of what only a local run or the packaging loads: npm distributes it, with its license. */
const INSTALLED_ONLY = ['PSF-2.0', 'Python-2.0', 'Zlib']

/** Additional licenses for tools that are run but not distributed. */
const TOOLS_ONLY = [
  'Artistic-2.0',
  'BlueOak-1.0.0',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  // As starkbank-ecdsa spells MIT.
  'MIT License',
  'MPL-2.0',
  'Unlicense',
  'WTFPL',
]

/** The licenses allowed for each use, by their SPDX names. */
export const LICENCES = {
  deployed: new Set([...NOTICE_ONLY, ...INSTALLED_ONLY]),
  tools: new Set([...NOTICE_ONLY, ...INSTALLED_ONLY, ...TOOLS_ONLY]),
} as const

/** Whether one of the alternatives consists of allowed licenses only. A human has to read nested expressions. */
export function isAllowed(expression: string, licences: ReadonlySet<string>): boolean {
  const isNested = expression.includes(' AND ') && expression.includes(' OR ')
  const choices = isNested ? [] : expression.split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((licence) => licences.has(licence)))
}
