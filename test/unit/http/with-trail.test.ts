import { describe, expect, it } from 'vitest'
import type { Route } from '../../../lib/endpoints/route.ts'
import { fail } from '../../../lib/errors.ts'
import { noContent } from '../../../lib/http/message.ts'
import { withTrail } from '../../../lib/http/with-trail.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { httpEvent } from '../../support/fakes/http.ts'
import { tokenHolder } from '../../support/fakes/principals.ts'
import { recordingTrail } from '../../support/fakes/trail.ts'

const CHANGE = {
  method: 'POST',
  path: '/api/users/{userId}',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'user.changed', names: ['role', 'enabled', 'sources', 'filter'] },
} as const satisfies Route
const READING = { ...CHANGE, method: 'GET', audit: { action: 'payload.read' } } as const satisfies Route

const INPUT = { role: 'ROLE_USER', enabled: false, sources: ['a', 'b'], filter: { q: 'x' }, password: 'secret' }
const request = {
  event: httpEvent({ method: 'POST', path: '/api/users/7' }),
  parameters: { userId: '7' },
  principal: { ...tokenHolder('ROLE_ADMIN'), uid: 'id-1' },
  input: INPUT,
}
const LINE = {
  action: 'user.changed',
  uid: 'id-1',
  user: 'alice',
  authType: 'JWT',
  from: request.event.requestContext.http.sourceIp,
  requestId: request.event.requestContext.requestId,
  target: { userId: '7', role: 'ROLE_USER', enabled: 'false', sources: 'a b' },
}

function setUp(route: Route, run = async () => noContent()) {
  const trail = recordingTrail()
  const made: number[] = []
  const app = { trail, trustedProxies: NO_NETWORKS }
  const handler = withTrail(route, app, async () => {
    made.push(trail.entries.length)
    return run()
  })
  return { trail, made, handler }
}

describe('A01 a change', () => {
  it('is recorded before it is done, with the parameters of the path and the named members of the input', async () => {
    const { trail, made, handler } = setUp(CHANGE)
    await handler(request)
    expect([trail.entries, made]).toEqual([[LINE], [1]])
    expect(JSON.stringify(trail.entries)).not.toContain('secret')
  })

  it('is not done if it cannot be recorded', async () => {
    const { trail, made, handler } = setUp(CHANGE)
    trail.isDown = true
    await expect(handler(request)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(made).toEqual([])
  })

  it.each([
    ['refused', fail('USER_NOT_FOUND'), 'USER_NOT_FOUND'],
    ['aborted by a bug', new TypeError('a bug'), 'UNEXPECTED'],
  ])('that is %s has a second line with this result', async (_, error, outcome) => {
    const { trail, handler } = setUp(CHANGE, () => Promise.reject(error))
    await expect(handler(request)).rejects.toBe(error)
    expect(trail.entries).toEqual([LINE, { ...LINE, outcome }])
  })

  it('that failed returns its error even if that cannot be recorded', async () => {
    const error = fail('USER_NOT_FOUND')
    const { trail, handler } = setUp(CHANGE, async () => {
      trail.isDown = true
      throw error
    })
    await expect(handler(request)).rejects.toBe(error)
  })
})

describe('A01 a reading', () => {
  it('is recorded after it was done and before it is answered', async () => {
    const { trail, made, handler } = setUp(READING)
    await handler(request)
    expect([trail.entries, made]).toMatchObject([[{ action: 'payload.read', target: { userId: '7' } }], [0]])
  })

  it('is not answered if it cannot be recorded', async () => {
    const { trail, handler } = setUp(READING)
    trail.isDown = true
    await expect(handler(request)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('of a missing resource is not recorded', async () => {
    const { trail, handler } = setUp(READING, () => Promise.reject(fail('EVENT_NOT_FOUND')))
    await expect(handler(request)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    expect(trail.entries).toEqual([])
  })
})

it('by a machine is recorded under the id of its key', async () => {
  const { trail, handler } = setUp(READING)
  const principal = { ...tokenHolder('ROLE_USER'), authType: 'API_KEY', key: { id: '0000000000kkk' } } as const
  await handler({ ...request, principal })
  expect(trail.entries).toMatchObject([{ apiKey: '0000000000kkk', authType: 'API_KEY' }])
})

it('a route that records nothing keeps its handler, and one that records needs a trail', () => {
  const run = () => noContent()
  const { audit: _, ...silent } = CHANGE
  expect(withTrail(silent, { trustedProxies: NO_NETWORKS }, run)).toBe(run)
  expect(() => withTrail(CHANGE, { trustedProxies: NO_NETWORKS }, run)).toThrow('has no trail')
})
