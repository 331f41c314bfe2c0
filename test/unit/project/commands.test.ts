import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('{docs,quality}/**/*.md', { exclude: ['**/node_modules/**'] }),
]

it.each(PAGES.sort())('%s names only existing commands', (file) => {
  const text = readFileSync(file, 'utf8')
  const names = [...text.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name = '']) => name)
  expect(names.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
})
