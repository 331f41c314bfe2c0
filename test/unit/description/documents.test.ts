import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DOCUMENTS } from '../../../infra/description/documents.ts'
import manifest from '../../../package.json' with { type: 'json' }

describe('what is generated', () => {
  it.each(Object.entries(DOCUMENTS))('%s is what `npm run docs` makes of the contract', (file, text) => {
    expect(readFileSync(file, 'utf8') === text(), `${file} is stale: run npm run docs`).toBe(true)
  })

  it('the flow has the version of the package', () => {
    expect(readFileSync('docs/login.arazzo.yaml', 'utf8')).toContain(`version: ${manifest.version}\n`)
  })
})
