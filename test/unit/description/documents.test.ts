import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DOCUMENTS } from '../../../infra/description/documents.ts'
import manifest from '../../../package.json' with { type: 'json' }

describe('the generated documents', () => {
  it.each(Object.entries(DOCUMENTS))('%s equals the output of `npm run docs` for the contract', (file, text) => {
    expect(readFileSync(file, 'utf8') === text(), `${file} is stale: run npm run docs`).toBe(true)
  })

  it('the flow has the version of the package', () => {
    expect(readFileSync('docs/login.arazzo.yaml', 'utf8')).toContain(`version: ${manifest.version}\n`)
  })
})
