import { describe, expect, it } from 'vitest'
import { fail, type ServiceError, unavailable } from '../../../../lib/errors.ts'
import { errorContent } from '../../../../lib/http/pages/error.ts'
import { iconsOf } from '../../../../lib/http/pages/html.ts'
import { type Call, httpEvent } from '../../../support/fakes/http.ts'
import { SITE } from '../../../support/fakes/pages.ts'

const BASE = new URL('https://gatehouse.example')

const WAYS_ON = ['/', '/console/webhooks', '/console/playground']

const shown = (error: ServiceError, given: Call = { path: '/nowhere' }) => {
  const { main, title } = errorContent(error, httpEvent(given), BASE, iconsOf(SITE.manifest))
  return {
    title,
    text: main.text,
    links: [...main.text.matchAll(/href="([^"]*)"/g)]
      .map(([, href]) => href)
      .filter((href) => !href?.startsWith('/assets/')),
  }
}

describe('the page of a failure', () => {
  it.each([
    [fail('ENDPOINT_NOT_FOUND'), '404 Not Found', 'No endpoint found for the method and path'],
    [fail('CROSS_SITE_LOGIN'), '403 Access Denied', 'A page of another site cannot begin a login'],
  ])('shows the error, the reason, the path and the request: %s', (error, answer, reason) => {
    const { text, title } = shown(error)
    expect(title).not.toBe('')
    for (const part of [answer, reason, 'GET /nowhere', 'request-1']) expect(text).toContain(part)
  })

  it('names the allowed methods of a path', () => {
    const error = fail('METHOD_NOT_SUPPORTED', { requestMethod: 'GET', supportedMethods: ['DELETE', 'POST'] })
    expect(shown(error).text).toContain('<dt>Methods</dt><dd>DELETE, POST</dd>')
  })

  it('shows no cause', () => {
    expect(shown(unavailable(new Error('ECONNREFUSED'))).text).not.toMatch(/cause|ECONN|at \S+\.ts/)
  })

  it('has links to other pages, and after a login that another site began a link to the login page', () => {
    expect(shown(fail('ENDPOINT_NOT_FOUND')).links).toEqual(WAYS_ON)
    expect(shown(fail('UNEXPECTED')).links).toEqual(WAYS_ON)
    expect(shown(fail('CROSS_SITE_LOGIN')).links).toEqual(['/login', ...WAYS_ON])
  })

  it('shows the answer for an API client, with the same body', () => {
    const [, json = ''] = /application\/json\n\n([^<]*)<\/pre>/.exec(shown(fail('UNEXPECTED')).text) ?? []
    expect(JSON.parse(json.replaceAll('&quot;', '"'))).toEqual({
      timestamp: '2026-01-02T03:04:05.000Z',
      status: 500,
      error: 'Internal Server Error',
      message: 'An unexpected error occurred',
      path: '/nowhere',
    })
  })

  it('H38 escapes the path', () => {
    const { text } = shown(fail('ENDPOINT_NOT_FOUND'), { path: '/<img src=x onerror=alert(1)>"\'&' })
    expect(text).toContain('/&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
    expect(text).not.toContain('<img')
  })

  it('H39 does not show the query, which may contain a secret', () => {
    expect(shown(fail('ENDPOINT_NOT_FOUND'), { path: '/a', rawQueryString: 'token=secret' }).text).not.toContain(
      'secret',
    )
  })
})

describe('an unavailable page', () => {
  const linksOf = (given: Call) => shown(fail('UNAVAILABLE'), given).links

  it('has a link to try again at the same address', () => {
    expect(linksOf({ path: '/', rawQueryString: 'endpoint=a&x="' })).toEqual([
      'https://gatehouse.example/?endpoint=a&amp;x=&quot;',
      ...WAYS_ON,
    ])
  })

  it.each(['//evil.example/', '/\\evil.example'])('H27 never links to %s as a host', (path) => {
    expect(new URL(linksOf({ path })[0] ?? '').origin).toBe('https://gatehouse.example')
  })

  it('has no link to try again after a change', () => {
    expect(linksOf({ method: 'POST', path: '/login' })).toEqual(WAYS_ON)
  })
})
