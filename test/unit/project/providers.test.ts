import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SignatureScheme } from '../../../lib/webhooks/schemes/scheme.ts'
import { SCHEMES } from '../../../lib/webhooks/schemes/table.ts'

const PAGE = readFileSync('docs/webhooks.md', 'utf8')

function rowOf(name: string): string {
  return PAGE.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
}

describe('the table of signatures', () => {
  it.each(Object.entries<SignatureScheme>(SCHEMES))('has a row for %s, with its header', (name, { header }) => {
    expect(rowOf(name).toLowerCase()).toContain(header ?? 'in the body')
  })

  it.each(Object.entries<SignatureScheme>(SCHEMES))(
    'says how old a call of %s may be',
    (name, { toleranceSeconds }) => {
      const [, seconds] = /\((\d+) s\)/.exec(rowOf(name)) ?? []
      expect(seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds)).toBe(toleranceSeconds)
    },
  )
})
