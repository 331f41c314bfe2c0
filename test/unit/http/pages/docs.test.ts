import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { referenceOf } from '../../../../infra/reference/reference.ts'
import { docsPage } from '../../../../lib/http/pages/docs.ts'
import { Html } from '../../../../lib/http/pages/html.ts'
import { page } from '../../../../lib/http/pages/page.ts'
import { ALICE, SITE, viewOf } from '../../../support/fakes/pages.ts'

const TEXT = readFileSync('docs/openapi.json', 'utf8')
const REFERENCE = new Html(referenceOf(TEXT))
const NAMES = [...TEXT.matchAll(/"operationId": "(\w+)"/g)].map(([, name = '']) => name)

const bodyFor = (view = viewOf(ALICE)) => page(SITE, view, docsPage(REFERENCE, view, SITE)).body ?? ''

it('has a section for each operation, and a link to each in its contents and in its group', () => {
  const body = bodyFor()
  expect(NAMES.length).toBeGreaterThan(50)
  for (const name of NAMES) {
    expect(body.split(` id="${name}"`), name).toHaveLength(2)
    expect(body.split(`href="#${name}"`), name).toHaveLength(4)
  }
})

it('is marked in the menu of the console, which links to every other page', () => {
  const body = bodyFor()
  expect(body).toContain('<a href="/docs" title="API reference" aria-current="page">')
  for (const path of ['/', '/console/webhooks', '/console/playground', '/console/account'])
    expect(body).toContain(`href="${path}"`)
})

it('offers the login to an anonymous visitor, and leads back', () => {
  expect(bodyFor({ ...viewOf(), address: '/docs' })).toContain('href="/login?returnTo=%2Fdocs"')
})

it('describes the headers of every answer once', () => {
  expect(bodyFor().split('<code>X-Frame-Options</code>')).toHaveLength(2)
})

it('shows markup of a description as text', () => {
  const document = JSON.parse(TEXT)
  document.paths['/api/users'].get.summary = '<img src=x>'
  const text = referenceOf(JSON.stringify(document))
  expect(text).toContain('&lt;img src=x&gt;')
  expect(text).not.toContain('<img')
})
