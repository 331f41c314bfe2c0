import type { Callers } from '../callers.ts'
import type { RequestCases } from './case.ts'
import { get, HTML } from './requests.ts'

/** The console, the documentation, and what is nowhere. */
export function pages({ call }: Callers): RequestCases {
  return {
    consolePage: [
      { what: 'a page', request: () => get('/console/token'), answer: { status: 200, headers: HTML } },
      { what: 'no page', request: () => get('/console/nothing'), answer: { status: 404 } },
    ],
    consoleAsset: [
      {
        what: 'a file, for a browser that names its codings in two headers',
        request: async () => {
          const { text } = await call('loginPage', get('/login'))
          const [, file = ''] = /src="(\/assets\/[^"]+)"/.exec(text) ?? []
          return get(file, ['accept-encoding', 'gzip'], ['accept-encoding', 'br'])
        },
        answer: { status: 200, headers: { 'content-encoding': /^br$/, 'content-type': /javascript/ } },
      },
    ],
    openapi: [
      {
        what: 'a program',
        request: () => get('/openapi.json', ['accept-encoding', 'gzip']),
        answer: { status: 200, json: { openapi: '3.1.1' }, headers: { 'content-encoding': /^gzip$/ } },
      },
    ],
    docs: [{ what: 'a reader', request: () => get('/docs'), answer: { status: 200, headers: HTML } }],
    fallback: [
      { what: 'a path of nobody', request: () => get('/nothing'), answer: { status: 404 } },
      {
        what: 'a method that the path does not know',
        request: () => ({ method: 'DELETE', target: '/api/public/hello' }),
        answer: { status: 405, headers: { allow: /^GET, HEAD$/ } },
      },
    ],
  }
}
