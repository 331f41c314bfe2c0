import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../lib/errors.ts'
import { github } from '../../../../lib/webhooks/schemes/github.ts'
import { githubSource } from '../../../../lib/webhooks/sources/github.ts'
import { bodyOf } from '../../../support/fakes/webhooks.ts'

const DELIVERY = '72d3162e-cc78-11e3-81ab-4c9367dc0958'
const PUSH = { ref: 'refs/heads/main', commits: [{}, {}, {}], pusher: { name: 'octocat' } }

interface Sent {
  readonly event?: string | undefined
  readonly delivery?: string | undefined
}

function read(body: string | Uint8Array | object, { event = 'push', delivery = DELIVERY }: Sent = {}) {
  const headers = { 'content-type': 'application/json', 'x-github-event': event, 'x-github-delivery': delivery }
  return githubSource.read({ body: bodyOf(body), headers })
}

function form(value: string): string {
  return `payload=${encodeURIComponent(value)}`
}

describe('a delivery of GitHub', () => {
  it('is of the source github with the GitHub scheme, and its event and id headers are kept', () => {
    expect(githubSource).toMatchObject({
      name: 'github',
      scheme: github,
      keptHeaders: ['x-github-event', 'x-github-delivery'],
    })
  })

  it('is named by X-GitHub-Delivery, which is not signed, and is of the type X-GitHub-Event', () => {
    expect(read(PUSH).identity).toEqual({ eventId: DELIVERY, isIdSigned: false, eventType: 'push' })
  })

  it('without X-GitHub-Delivery, or with an empty one, has no id', () => {
    const headers = { 'x-github-event': 'push' }
    expect(githubSource.read({ body: bodyOf(PUSH), headers }).identity.eventId).toBeUndefined()
    expect(read(PUSH, { delivery: '' }).identity.eventId).toBeUndefined()
  })

  it.each([
    ['push', PUSH, 'push to refs/heads/main: 3 commits by octocat'],
    ['pull_request', { action: 'closed', number: 7 }, 'pull request #7 closed'],
  ])('%s is handed over, and its handler tells what happened', (event, body, outcome) => {
    const { isHandedOver, plan } = read(body, { event })
    expect(isHandedOver).toBe(true)
    expect(plan()).toEqual({ outcome })
  })

  it.each(['ping', 'issues', 'PUSH', 'push ', 'constructor', '__proto__', 'toString'])(
    'of another name is acknowledged without an action: %s',
    (event) => {
      const { identity, isHandedOver, plan } = read(PUSH, { event })
      expect(identity.eventType).toBe(event)
      expect(isHandedOver).toBeUndefined()
      expect(plan()).toEqual({ outcome: 'no action' })
    },
  )

  it('may come as a form, whatever the content type', () => {
    const { identity, plan } = read(form(JSON.stringify({ ...PUSH, ref: 'a+b &=%🚀' })))
    expect(identity.eventId).toBe(DELIVERY)
    expect(plan().outcome).toBe('push to a+b &=%🚀: 3 commits by octocat')
  })

  it.each([
    ['no JSON', '{', {}],
    ['nothing', '', {}],
    ['bytes that are no UTF-8', Buffer.from('{"ref":"\xff"}', 'latin1'), {}],
    ['101 levels', `${'['.repeat(101)}${']'.repeat(101)}`, {}],
    ['a form without JSON', form('{'), {}],
    ['a form with an empty payload', 'payload=', {}],
    ['a form with bytes that are no UTF-8', 'payload=%FF', {}],
    ['a form with another field', 'other=1', {}],
    ['no event name', PUSH, { event: '' }],
    ['an event name of 257 characters', PUSH, { event: 'a'.repeat(257) }],
    ['an event name with a control character', PUSH, { event: 'push\u0000' }],
    ['an id of 257 characters', PUSH, { delivery: 'a'.repeat(257) }],
    ['an id with a control character', PUSH, { delivery: 'a\u0007' }],
  ])('is refused: %s', (_, body, sent) => {
    expect(() => read(body, sent)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('is refused without an event name', () => {
    expect(() => githubSource.read({ body: bodyOf(PUSH), headers: {} })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
  })

  it('of any bytes is read or refused, and of any JSON handled', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.json(),
      fc.json().map(form),
      fc.string().map((text) => `payload=${text}`),
    )
    fc.assert(
      fc.property(bytes, fc.constantFrom('push', 'pull_request', 'ping'), (body, event) => {
        try {
          expect(read(body, { event }).plan().outcome).toBeTypeOf('string')
        } catch (error) {
          expect(error instanceof ServiceError && error.code).toBe('VALIDATION_FAILED')
        }
      }),
    )
  })
})
