import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

/** The version that a file of this folder gets, where another package may have brought one of its own. */
function versionFor(folder: string, name: string): string {
  const file = createRequire(`${import.meta.dirname}/${folder}`).resolve(`${name}/package.json`)
  return JSON.parse(readFileSync(file, 'utf8')).version
}

it.each(['jose', 'ws'])('peers are measured with the product’s own version of %s', (name) => {
  expect(versionFor('peers/', name)).toBe(versionFor('../../lib/', name))
})
