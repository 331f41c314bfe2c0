import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Where the pages of the auth lab say that checks are made: a file, and the function that refuses. */
const PLACES = ['web/token/judge.ts', 'web/oauth/checks.ts'].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/'(lib\/[\w/.-]+)(?:, (\w+))?'/g)].map(([, file = '', name = '']) => [
    file,
    name,
  ]),
)

it.each(PLACES)('the check that a page places in %s is there: %s', (file, name) => {
  expect(readFileSync(file, 'utf8')).toContain(name)
})
