import { Buffer } from 'node:buffer'
import { brotliDecompressSync } from 'node:zlib'
import { CONFUSABLES } from './confusables.ts'

/** The letters by their look; built when the first name is checked. */
let prototypes: ReadonlyMap<string, string> | undefined

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

/** Letters on which a dot above is not seen, with their marks; `l` stands for `i` here. */
const DOTTED_WITH_MARKS = /[jl]\p{M}+/gu
const DOT_ABOVE = '\u0307'

/**
 * What a name looks like: two names with one skeleton may be mistaken for each other. It is the skeleton of UTS 39, and that
 * again in lower case, because a name is one in any case: so `i`, whose capital is the `l` of UTS 39, is `l`, and `o` is `0`.
 * Other widths and styles, which UTS 39 leaves to NFKC, are none. It is a key, no text to show, and may be many times as
 * long as the name.
 */
export function nameSkeleton(name: string): string {
  return skeletonOf(skeletonOf(name).normalize('NFKD').toLowerCase())
    .replaceAll('i', 'l')
    .replaceAll(DOTTED_WITH_MARKS, (letter) => letter.replaceAll(DOT_ABOVE, ''))
}

/** UTS 39 section 4. */
function skeletonOf(text: string): string {
  const table = prototypes ?? readTable()
  prototypes = table
  const characters = [...text.normalize('NFD').replaceAll(UNSEEN, '')]
  return characters
    .map((character) => table.get(character) ?? character)
    .join('')
    .normalize('NFD')
}

function readTable(): ReadonlyMap<string, string> {
  const lines = brotliDecompressSync(Buffer.from(CONFUSABLES, 'base64')).toString().split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [prototype = '', same = ''] = line.split('\t')
      return [...same].map((character) => [character, prototype] as const)
    }),
  )
}
