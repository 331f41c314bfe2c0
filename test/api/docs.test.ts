import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'

const DESCRIPTION = readFileSync('docs/openapi.json', 'utf8')

describe('GET /openapi.json', () => {
  it('is the committed description, for anybody', async () => {
    const { status, headers, text } = await call('/openapi.json')
    expect([status, headers['content-encoding'], text]).toEqual([200, undefined, DESCRIPTION])
  })

  it('is compressed for a client that accepts compression, and 304 for a client that has it', async () => {
    const { headers, text } = await call('/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
    expect([headers['content-encoding'], text]).toEqual(['gzip', DESCRIPTION])
    const again = await call('/openapi.json', { headers: { 'if-none-match': String(headers['etag']) } })
    expect(again.status).toBe(304)
  })
})

describe('GET /docs', () => {
  it('contains every operation in its HTML, and loads only existing files from this origin', async () => {
    const { text, headers } = await call('/docs')
    for (const [, name = ''] of DESCRIPTION.matchAll(/"operationId": "(\w+)"/g)) expect(text).toContain(` id="${name}"`)
    const files = new Set([...text.matchAll(/(?:href|src)="(\/assets\/[^"#]*)/g)].map(([, path = '']) => path))
    expect(files.size).toBeGreaterThan(3)
    for (const file of files) expect((await call(file)).status, file).toBe(200)
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
  })

  it('is compressed for a client that accepts compression, and plain for others', async () => {
    const plain = await call('/docs')
    const { headers, text } = await call('/docs', { headers: { 'accept-encoding': 'gzip' } })
    const withoutTokens = (html: string) => html.replaceAll(/[\w-]{22}\.[\w-]{43}/g, '')
    expect([plain.headers['content-encoding'], headers['content-encoding']]).toEqual([undefined, 'gzip'])
    expect(withoutTokens(text)).toBe(withoutTokens(plain.text))
  })
})
