import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../../lib/webhooks/json.ts'
import { describePullRequest, describePush, provider } from '../../../../lib/webhooks/providers/github.ts'
import { anyText } from '../../../support/any-text.ts'
import { bodyOf } from '../../../support/fakes/webhooks.ts'

const DELIVERY = '72d3162e-cc78-11e3-81ab-4c9367dc0958'
const PUSH = { ref: 'refs/heads/main', commits: [{}, {}, {}], pusher: { name: 'octocat', email: 'o@github.com' } }

interface Sent {
  readonly event?: string | undefined
  readonly delivery?: string | undefined
}

function read(body: string | Uint8Array | object, { event = 'push', delivery = DELIVERY }: Sent = {}) {
  const headers = { 'content-type': 'application/json', 'x-github-event': event, 'x-github-delivery': delivery }
  return provider.read({ body: bodyOf(body), headers })
}

function form(value: string): string {
  return `payload=${encodeURIComponent(value)}`
}

describe('a delivery of GitHub', () => {
  it('without X-GitHub-Delivery, or with an empty one, has no id, and is always new', () => {
    const none = { rule: 'always-new', eventId: undefined }
    const headers = { 'x-github-event': 'push' }
    expect(provider.read({ body: bodyOf(PUSH), headers }).identity).toMatchObject(none)
    expect(read(PUSH, { delivery: '' }).identity).toMatchObject(none)
  })

  it.each([
    ['push', PUSH, 'push to refs/heads/main: 3 commits by octocat'],
    ['pull_request', { action: 'closed', number: 7 }, 'pull request #7 closed'],
  ])('%s is deferred, and its handler describes the event', (event, body, outcome) => {
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

  it('can be a form, with any content type', () => {
    const { identity, plan } = read(form(JSON.stringify({ ...PUSH, ref: 'a+b &=%🚀' })))
    expect(identity.eventId).toBe(DELIVERY)
    expect(plan().outcome).toBe('push to a+b &=%🚀: 3 commits by octocat')
  })

  it.each([
    ['no JSON', '{', 'body must be JSON'],
    ['a form without JSON', form('{'), 'body must be JSON'],
    ['a form with bytes that are not UTF-8', 'payload=%FF', 'payload must be percent-encoded UTF-8'],
  ])('that is unreadable is stored with the reason, and is not deferred: %s', (_, body, unreadable) => {
    const reading = read(body)
    expect(reading.identity.eventId).toBe(DELIVERY)
    expect([reading.unreadable, reading.isHandedOver]).toEqual([`Validation failed: ${unreadable}`, undefined])
  })

  it.each([
    ['none', ''],
    ['one with a control character', 'push\u0000'],
  ])('is refused without a usable event name: %s', (_, event) => {
    expect(() => read(PUSH, { event })).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })
})

/** As the receiver parses it: numbers are kept as their text. */
const parsed = (payload: unknown) => parseJson(Buffer.from(JSON.stringify(payload)))

const PULL_REQUEST = {
  action: 'opened',
  number: 7,
  pull_request: { base: { ref: 'main' }, head: { ref: 'feature' } },
}

describe('a push is described in one line', () => {
  it.each<[string, unknown, string]>([
    ['a whole one', PUSH, 'push to refs/heads/main: 3 commits by octocat'],
    ['one commit', { ...PUSH, commits: [{}] }, 'push to refs/heads/main: 1 commit by octocat'],
    ['commits that are not a list', { ...PUSH, commits: 3 }, 'push to refs/heads/main by octocat'],
    ['no pusher', { ...PUSH, pusher: undefined }, 'push to refs/heads/main: 3 commits'],
    ['a pusher without a name', { ...PUSH, pusher: {} }, 'push to refs/heads/main: 3 commits'],
    ['an empty ref', { ref: '' }, 'push without a ref'],
    ['a ref that is an object', { ref: { a: 1 } }, 'push without a ref'],
    ['a list', [PUSH], 'push without a ref'],
  ])('%s', (_, payload, line) => {
    expect(describePush(parsed(payload))).toBe(line)
  })
})

describe('a pull request is described in one line', () => {
  it.each<[string, unknown, string]>([
    ['a whole one', PULL_REQUEST, 'pull request #7 opened: main <- feature'],
    ['no action', { ...PULL_REQUEST, action: null }, 'pull request #7: main <- feature'],
    ['no branches', { ...PULL_REQUEST, pull_request: {} }, 'pull request #7 opened'],
    ['no number', { ...PULL_REQUEST, number: undefined }, 'pull request without a number opened: main <- feature'],
    ['a negative number', { number: -7 }, 'pull request without a number'],
  ])('%s', (_, payload, line) => {
    expect(describePullRequest(parsed(payload))).toBe(line)
  })
})

describe('W36 any description', () => {
  it.each([
    ['a control character', 'a\u0000b\u001b[31m\u0085c', 'a\ufffdb\ufffd[31m\ufffdc'],
    ['a line end', 'a\r\nb\u2028c', 'a\ufffd\ufffdb\ufffdc'],
    ['a mark that changes the direction of text', 'a\u202eb', 'a\ufffdb'],
    ['half of a character', 'a\ud83d', 'a\ufffd'],
    ['201 characters', 'a'.repeat(201), `${'a'.repeat(200)}…`],
    ['a character across the limit', `${'a'.repeat(199)}🚀`, `${'a'.repeat(199)}\ufffd…`],
  ])('%s is not shown', (_, ref, shown) => {
    expect(describePush({ ref })).toBe(`push to ${shown}`)
  })

  it('a number of a million digits is ignored', () => {
    const payload = parseJson(Buffer.from(`{"number":${'9'.repeat(1_000_000)}}`))
    expect(describePullRequest(payload)).toBe('pull request without a number')
  })

  const word = fc.oneof(anyText({ maxLength: 500 }), fc.jsonValue())
  const ref = fc.oneof(fc.record({ ref: word }), fc.jsonValue())
  const payload = fc.oneof(
    fc.jsonValue(),
    fc.record({ ref: word, commits: fc.jsonValue(), pusher: fc.oneof(fc.record({ name: word }), fc.jsonValue()) }),
    fc.record({
      action: word,
      number: fc.jsonValue(),
      pull_request: fc.oneof(fc.record({ base: ref, head: ref }), fc.jsonValue()),
    }),
  )

  it.each([
    ['a push', describePush],
    ['a pull request', describePullRequest],
  ])('%s is one line without control characters, of bounded length', (_, describeEvent) => {
    fc.assert(
      fc.property(payload, (json) => {
        const line = describeEvent(parsed(json))
        expect(line).toMatch(/^(push|pull request) [^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u)
        expect(line.length).toBeLessThanOrEqual(700)
      }),
    )
  })
})
