import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { argv } from 'node:process'
import { brotliCompressSync, constants } from 'node:zlib'
import { moduleOf } from './module.ts'

/** https://www.unicode.org/Public/17.0.0/security/confusables.txt */
const VERSION = '17.0.0'
const SHA256 = '091c7f82fc39ef208faf8f94d29c244de99254675e09de163160c810d13ef22a'

/** What names may hold and UTS 39 looks up: after its NFD, without what one does not see. */
const LOOKED_UP = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{Nd}._@+-]$/u

const ROW = /^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t/gm

/** The text of lib/users/confusables.ts. @param source the text of Unicode's file */
function confusables(source: string, licence: string): string {
  const rows = [...source.matchAll(ROW)]
    .map(([, from = '', to = '']) => [textOf(from), textOf(to)] as const)
    .filter(([from]) => LOOKED_UP.test(from) && from.normalize('NFD') === from)
  const lines = Map.groupBy(rows, ([, to]) => to)
    .entries()
    .map(([to, same]) => `${to}\t${same.map(([from]) => from).join('')}`)
  const compressed = brotliCompressSync([...lines].join('\n'), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  const count = rows.length.toLocaleString('en')
  return moduleOf({
    notice: `The table below is of Unicode's confusables.txt:\n${licence}`,
    comment: [
      `${count} letters, marks and digits with what they look like (Unicode ${VERSION}, UTS 39): lines of a prototype, a tab`,
      'and what looks like it, compressed with Brotli, in Base64. Made by',
      '`node infra/tables/confusables.ts <confusables.txt> <licence>`.',
    ],
    name: 'CONFUSABLES',
    words: compressed.toString('base64').match(/.{1,118}/g) ?? [],
    separator: '',
  })
}

function textOf(hexadecimal: string): string {
  return String.fromCodePoint(...hexadecimal.split(' ').map((code) => Number.parseInt(code, 16)))
}

if (import.meta.main) {
  const [, , file = '', licence = ''] = argv
  const source = readFileSync(file)
  if (createHash('sha256').update(source).digest('hex') !== SHA256)
    throw new Error(`not the file of Unicode ${VERSION}`)
  writeFileSync('lib/users/confusables.ts', confusables(source.toString(), readFileSync(licence, 'utf8').trim()))
}
