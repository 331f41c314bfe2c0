import { describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'

describe('GET /api/public/hello', () => {
  it('answers 200 without credentials', async () => {
    const { status, json } = await call('/api/public/hello')
    expect(status).toBe(200)
    expect(json).toEqual({ message: 'Hello, world! (public endpoint - no authentication required)' })
  })

  it('ignores credentials, even bad ones', async () => {
    const headers = { authorization: 'Basic !!!' }
    expect((await call('/api/public/hello', { headers })).status).toBe(200)
  })

  it('H28 shows no CORS header to a foreign origin', async () => {
    const { status, headers } = await call('/api/public/hello', { headers: { origin: 'https://evil.example' } })
    expect(status).toBe(200)
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})

describe('an unknown path returns 404', () => {
  it.each([
    ['POST', '/api/public'],
    ['GET', '//api/public/hello'],
    ['GET', '/api/public/hello/'],
  ])('%s %s', async (method, path) => {
    const { status, json } = await call(path, { method })
    expect(status).toBe(404)
    expect(json).toMatchObject({
      status: 404,
      error: 'Not Found',
      message: 'No endpoint found for the method and path',
      path,
    })
    expect(json.details).toBeUndefined()
  })

  it('H39 gives the path without its query', async () => {
    const { json } = await call('/nothing?secret=1')
    expect(json.path).toBe('/nothing')
  })
})

describe('H08 a known path with a wrong method returns 405', () => {
  it.each([
    ['TRACE', '/api/admin/secure', 'GET, HEAD'],
    ['PUT', '/api/auth/login', 'POST'],
    ['GET', '/webhooks/payment', 'HEAD, POST'],
    ['POST', '/api/webhooks/events/payment/evt_1', 'GET, HEAD'],
  ])('%s %s', async (method, path, supported) => {
    const { status, json, headers } = await call(path, { method })
    expect(status).toBe(405)
    expect(headers['allow']).toBe(supported)
    expect(json).toMatchObject({
      status: 405,
      error: 'Method Not Allowed',
      message: 'Request method is not supported',
      details: { requestMethod: method, supportedMethods: supported.split(', ') },
      path,
    })
  })
})
