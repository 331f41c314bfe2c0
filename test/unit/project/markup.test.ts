import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('C02 no page can show foreign text as anything but text', () => {
  const markup = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment/i
  expect(globSync('web/**/*.{ts,tsx,js}').filter((file) => markup.test(readFileSync(file, 'utf8')))).toEqual([])
})
