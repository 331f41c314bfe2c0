import { readFileSync, writeFileSync } from 'node:fs'
import { dictionary } from '@zxcvbn-ts/language-common'
import { moduleOf } from './module.ts'

/** How many of the commonest passwords nobody may choose; those that are too short anyway are left out. */
const COMMONEST = 10_000
const SHORTEST = 8

/** The text of lib/users/common-passwords.ts. */
export function commonPasswords(): string {
  const long = dictionary['passwords-common'].slice(0, COMMONEST).filter((word) => word.length >= SHORTEST)
  const licence = readFileSync('node_modules/@zxcvbn-ts/language-common/LICENSE.txt', 'utf8').trim()
  const [all, kept] = [COMMONEST, long.length].map((count) => count.toLocaleString('en'))
  return moduleOf({
    notice: `The words below are of @zxcvbn-ts/language-common:\n${licence}`,
    comment: [
      `Those of the ${all} commonest passwords that have at least ${SHORTEST} characters, in lower case: ${kept}.`,
      'Made by `node infra/tables/common-passwords.ts`.',
    ],
    name: 'COMMON_PASSWORDS',
    words: long,
    separator: ' ',
  })
}

if (import.meta.main) writeFileSync('lib/users/common-passwords.ts', commonPasswords())
