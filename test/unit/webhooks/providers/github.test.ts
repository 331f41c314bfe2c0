import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../../lib/webhooks/json.ts'
import { describePullRequest, describePush, provider } from '../../../../lib/webhooks/providers/github.ts'
import { anyText } from '../../../support/any-text.ts'
import { bodyOf } from '../../../support/fakes/webhooks.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const HEX = 'a1'.repeat(32)

describe('the X-Hub-Signature-256 header', () => {
  it('contains lowercase hexadecimal after sha256=', () => {
    const call = signedCall({ 'x-hub-signature-256': `sha256=${HEX}` }, '{}')
    expect(readingOf(provider.scheme, call)).toEqual({ signatures: [HEX], signedAt: undefined, signed: '{}' })
  })

  it.each([
    ['nothing', {}],
    ['only the legacy header', { 'x-hub-signature': `sha1=${HEX.slice(0, 40)}` }],
    ['only the legacy header with SHA-256', { 'x-hub-signature': `sha256=${HEX}` }],
    ['an empty text', { 'x-hub-signature-256': '' }],
    ['a prefix without a signature', { 'x-hub-signature-256': 'sha256=' }],
    ['no prefix', { 'x-hub-signature-256': HEX }],
    ['an upper-case prefix', { 'x-hub-signature-256': `SHA256=${HEX}` }],
    ['the prefix of SHA-1', { 'x-hub-signature-256': `sha1=${HEX}` }],
    ['upper-case hexadecimal', { 'x-hub-signature-256': `sha256=${HEX.toUpperCase()}` }],
    ['63 digits', { 'x-hub-signature-256': `sha256=${HEX.slice(1)}` }],
    ['65 digits', { 'x-hub-signature-256': `sha256=${HEX}a` }],
    ['two signatures', { 'x-hub-signature-256': `sha256=${HEX},sha256=${HEX}` }],
    ['preceded by a blank', { 'x-hub-signature-256': ` sha256=${HEX}` }],
    ['followed by a newline', { 'x-hub-signature-256': `sha256=${HEX}\n` }],
  ])('is not readable with %s', (_, headers) => {
    expect(readingOf(provider.scheme, signedCall(headers))).toBeUndefined()
  })
})

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
  it('has the source github and the GitHub scheme, and its event and id headers are stored', () => {
    expect(provider).toMatchObject({
      name: 'github',
      scheme: provider.scheme,
      keptHeaders: ['x-github-event', 'x-github-delivery'],
    })
  })

  it('has the unsigned id of X-GitHub-Delivery, and the type of X-GitHub-Event', () => {
    expect(read(PUSH).identity).toMatchObject({
      rule: 'id+body',
      eventId: DELIVERY,
      eventType: 'push',
      repeats: undefined,
    })
  })

  it('without X-GitHub-Delivery, or with an empty one, has no id, and is always new', () => {
    const none = { rule: 'always-new', eventId: undefined }
    const headers = { 'x-github-event': 'push' }
    expect(provider.read({ body: bodyOf(PUSH), headers }).identity).toMatchObject(none)
    expect(read(PUSH, { delivery: '' }).identity).toMatchObject(none)
  })

  it.each(['a'.repeat(257), 'a\u0007', '..'])('has no impossible id: %j', (delivery) => {
    expect(read(PUSH, { delivery }).identity).toMatchObject({ eventId: undefined, hasUnusableId: true })
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
    ['nothing', '', 'body must be JSON'],
    ['bytes that are not UTF-8', Buffer.from('{"ref":"\xff"}', 'latin1'), 'body must be UTF-8'],
    ['101 levels', `${'['.repeat(101)}${']'.repeat(101)}`, 'body must not be nested deeper than 100'],
    ['a form without JSON', form('{'), 'body must be JSON'],
    ['a form with an empty payload', 'payload=', 'body must be JSON'],
    ['a form with bytes that are not UTF-8', 'payload=%FF', 'payload must be percent-encoded UTF-8'],
    ['a form with another field', 'other=1', 'body must be JSON'],
  ])('that is unreadable is stored with the reason, and is not deferred: %s', (_, body, unreadable) => {
    const reading = read(body)
    expect(reading.identity.eventId).toBe(DELIVERY)
    expect([reading.unreadable, reading.isHandedOver]).toEqual([`Validation failed: ${unreadable}`, undefined])
  })

  it.each([
    ['none', ''],
    ['one of 257 characters', 'a'.repeat(257)],
    ['one with a control character', 'push\u0000'],
  ])('is refused without a usable event name: %s', (_, event) => {
    expect(() => read(PUSH, { event })).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('is refused without an event name', () => {
    expect(() => provider.read({ body: bodyOf(PUSH), headers: {} })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    )
  })

  it('of any bytes is read, and of any JSON is handled', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.json(),
      fc.json().map(form),
      fc.string().map((text) => `payload=${text}`),
    )
    fc.assert(
      fc.property(bytes, fc.constantFrom('push', 'pull_request', 'ping'), (body, event) => {
        expect(read(body, { event }).plan().outcome).toBeTypeOf('string')
      }),
    )
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
    ['a deleted branch', { ...PUSH, commits: [] }, 'push to refs/heads/main: 0 commits by octocat'],
    ['an emoji', { ...PUSH, ref: 'refs/heads/🚀' }, 'push to refs/heads/🚀: 3 commits by octocat'],
    ['a ref of 200 characters', { ref: 'r'.repeat(200) }, `push to ${'r'.repeat(200)}`],
    ['no commits', { ...PUSH, commits: undefined }, 'push to refs/heads/main by octocat'],
    ['commits that are not a list', { ...PUSH, commits: 3 }, 'push to refs/heads/main by octocat'],
    ['no pusher', { ...PUSH, pusher: undefined }, 'push to refs/heads/main: 3 commits'],
    ['a pusher that is null', { ...PUSH, pusher: null }, 'push to refs/heads/main: 3 commits'],
    ['a pusher without a name', { ...PUSH, pusher: {} }, 'push to refs/heads/main: 3 commits'],
    ['a name that is not text', { ...PUSH, pusher: { name: 7 } }, 'push to refs/heads/main: 3 commits'],
    ['no ref', { ...PUSH, ref: undefined }, 'push without a ref: 3 commits by octocat'],
    ['an empty ref', { ref: '' }, 'push without a ref'],
    ['a ref that is an object', { ref: { a: 1 } }, 'push without a ref'],
    ['nothing', {}, 'push without a ref'],
    ['null', null, 'push without a ref'],
    ['a list', [PUSH], 'push without a ref'],
    ['a text', 'refs/heads/main', 'push without a ref'],
  ])('%s', (_, payload, line) => {
    expect(describePush(parsed(payload))).toBe(line)
  })
})

describe('a pull request is described in one line', () => {
  it.each<[string, unknown, string]>([
    ['a whole one', PULL_REQUEST, 'pull request #7 opened: main <- feature'],
    ['one of many', { number: 123_456 }, 'pull request #123456'],
    ['no action', { ...PULL_REQUEST, action: null }, 'pull request #7: main <- feature'],
    ['no branches', { ...PULL_REQUEST, pull_request: {} }, 'pull request #7 opened'],
    ['no base', { ...PULL_REQUEST, pull_request: { head: { ref: 'a' } } }, 'pull request #7 opened'],
    [
      'a head that is not an object',
      { ...PULL_REQUEST, pull_request: { base: { ref: 'a' }, head: 'b' } },
      'pull request #7 opened',
    ],
    ['no number', { ...PULL_REQUEST, number: undefined }, 'pull request without a number opened: main <- feature'],
    ['a number that is text', { number: '7' }, 'pull request without a number'],
    ['a number with decimals', { number: 7.5 }, 'pull request without a number'],
    ['a negative number', { number: -7 }, 'pull request without a number'],
    ['nothing', {}, 'pull request without a number'],
    ['a number without other fields', 7, 'pull request without a number'],
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
