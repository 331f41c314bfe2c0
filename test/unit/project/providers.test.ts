import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Provider } from '../../../lib/webhooks/provider.ts'
import { PROVIDERS } from '../../../lib/webhooks/providers/index.ts'

const PAGE = readFileSync('docs/webhooks.md', 'utf8')

function rowOf(name: string): string {
  return PAGE.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
}

describe('the table of signatures', () => {
  it.each(Object.entries<Provider>(PROVIDERS))('has a row for %s, with its header', (name, { scheme }) => {
    expect(rowOf(name).toLowerCase()).toContain(scheme.header ?? 'in the body')
  })

  it.each(Object.entries<Provider>(PROVIDERS))('says how old a call of %s may be', (name, { scheme }) => {
    const [, seconds] = /\((\d+) s\)/.exec(rowOf(name)) ?? []
    expect(seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds)).toBe(scheme.toleranceSeconds)
  })
})
