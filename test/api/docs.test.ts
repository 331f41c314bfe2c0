import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'

const DESCRIPTION = readFileSync('docs/openapi.json', 'utf8')

describe('GET /openapi.json', () => {
  it('is the description that is committed, for anybody', async () => {
    const { status, headers, text } = await call('/openapi.json')
    expect([status, headers['content-encoding'], text]).toEqual([200, undefined, DESCRIPTION])
  })

  it('comes compressed to who takes that, and not again to who has it', async () => {
    const { headers, text } = await call('/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
    expect([headers['content-encoding'], text]).toEqual(['gzip', DESCRIPTION])
    const again = await call('/openapi.json', { headers: { 'if-none-match': String(headers['etag']) } })
    expect(again.status).toBe(304)
  })
})

describe('GET /docs', () => {
  it('is a page of which every file is there, and comes from here', async () => {
    const { text } = await call('/docs')
    const files = [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, path = '']) => path)
    expect(files).toEqual(['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui-init.js'])
    for (const file of files) expect((await call(file)).text.length, file).toBeGreaterThan(100)
  })

  it('has the licences of what it loads, where the script says that they are', async () => {
    const [, named] = /see (\S+) \*\//.exec((await call('/docs/swagger-ui-bundle.js')).text) ?? []
    for (const file of [named, 'LICENSE', 'NOTICE']) {
      const { status, headers } = await call(`/docs/${file}`)
      expect([status, headers['content-type']], file).toEqual([200, 'text/plain; charset=utf-8'])
    }
  })

  it.each(['nothing.js', 'index.mjs', '.', '..', 'openapi.json', '%2e%2e%2fpackage.json', 'constructor'])(
    'has no file %s',
    async (name) => {
      expect((await call(`/docs/${name}`)).status).toBeGreaterThanOrEqual(404)
    },
  )
})
