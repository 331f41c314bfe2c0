import { readFileSync, writeFileSync } from 'node:fs'
import { dictionary } from '@zxcvbn-ts/language-common'
import { linesOf } from './lines.ts'

/** How many of the commonest passwords nobody may choose; those that are too short anyway are left out. */
const COMMONEST = 10_000
const SHORTEST = 8

const NAME = 'COMMON_PASSWORDS'

/** The text of lib/users/common-passwords.ts. */
export function commonPasswords(): string {
  const long = dictionary['passwords-common'].slice(0, COMMONEST).filter((word) => word.length >= SHORTEST)
  const licence = readFileSync('node_modules/@zxcvbn-ts/language-common/LICENSE.txt', 'utf8').trim()
  return `/*!
The words below are of @zxcvbn-ts/language-common:
${licence}
*/

/**
 * Those of the ${COMMONEST.toLocaleString('en')} commonest passwords that have at least ${SHORTEST} characters, in lower case: ${long.length.toLocaleString('en')}.
 * Made by \`node infra/tables/common-passwords.ts\`.
 */
export const ${NAME} = \`
${linesOf(long, ' ')}
\`
`
}

if (import.meta.main) writeFileSync('lib/users/common-passwords.ts', commonPasswords())
