import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Names that each file of a folder exports for its own part of one pattern. */
const SHARED: Readonly<Record<string, RegExp>> = {
  handler: /^functions\//,
  route: /^lib\/endpoints\//,
  about: /^lib\/endpoints\//,
  provider: /^lib\/webhooks\/providers\//,
  sample: /^lib\/webhooks\/providers\//,
  source: /^lib\/webhooks\/providers\//,
  sampleRequest: /^lib\/endpoints\//,
}

const DECLARED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type) ([\w$]+)|^export (?:type )?\{([^}]+)\}(?! from)/gm
const IMPORTED = /^import (?:type )?\{([^}]+)\} from/gm

const listed = (list = '') => list.split(',').map((name) => name.trim().replace(/^type |^.* as /, ''))

/** What is only passed on (`export … from`, or imported here) is the same thing under the same name. */
function namesIn(text: string): readonly string[] {
  const imported = new Set([...text.matchAll(IMPORTED)].flatMap(([, list]) => listed(list)))
  const found = [...text.matchAll(DECLARED)].flatMap(([, one, list]) => (one ? [one] : listed(list)))
  return found.filter((name) => name !== '' && !imported.has(name))
}

function homonyms(texts: ReadonlyMap<string, string>): Readonly<Record<string, readonly string[]>> {
  const files = new Map<string, Set<string>>()
  for (const [file, text] of texts) {
    for (const name of namesIn(text).filter((one) => !SHARED[one]?.test(file))) {
      files.set(name, (files.get(name) ?? new Set()).add(file))
    }
  }
  return Object.fromEntries([...files].filter(([, where]) => where.size > 1).map(([name, where]) => [name, [...where]]))
}

it('no two files export one name for different things', () => {
  const paths = globSync('{lib,functions,web,infra,localstack}/**/*.{ts,tsx,mjs}')
  expect(homonyms(new Map(paths.map((path) => [path, readFileSync(path, 'utf8')])))).toEqual({})
})

it('a name is found in every form of export', () => {
  const texts = [
    'export function a() {}\nexport { a as c }',
    'export type a = 1\nexport {\n  b,\n}',
    "export async function b() {}\nexport { e } from './d.ts'",
    "import { f } from './g.ts'\nexport const c = 1\nexport class e {}\nexport { f }",
    'export const f = 1',
  ]
  const found = homonyms(new Map(texts.map((text, index) => [`lib/${index}.ts`, text])))
  expect(Object.keys(found).sort()).toEqual(['a', 'b', 'c'])
})
