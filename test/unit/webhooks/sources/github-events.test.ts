import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../../lib/webhooks/json.ts'
import { describePullRequest, describePush } from '../../../../lib/webhooks/sources/github-events.ts'
import { anyText } from '../../../support/any-text.ts'

/** As the receiver parses it: numbers are kept as their text. */
const parsed = (payload: unknown) => parseJson(Buffer.from(JSON.stringify(payload)))

const PUSH = { ref: 'refs/heads/main', commits: [{}, {}, {}], pusher: { name: 'octocat', email: 'o@github.com' } }
const PULL_REQUEST = {
  action: 'opened',
  number: 7,
  pull_request: { base: { ref: 'main' }, head: { ref: 'feature' } },
}

describe('a push is told in one line', () => {
  it.each<[string, unknown, string]>([
    ['a whole one', PUSH, 'push to refs/heads/main: 3 commits by octocat'],
    ['one commit', { ...PUSH, commits: [{}] }, 'push to refs/heads/main: 1 commit by octocat'],
    ['a deleted branch', { ...PUSH, commits: [] }, 'push to refs/heads/main: 0 commits by octocat'],
    ['an emoji', { ...PUSH, ref: 'refs/heads/🚀' }, 'push to refs/heads/🚀: 3 commits by octocat'],
    ['a ref of 200 characters', { ref: 'r'.repeat(200) }, `push to ${'r'.repeat(200)}`],
    ['no commits', { ...PUSH, commits: undefined }, 'push to refs/heads/main by octocat'],
    ['commits that are no list', { ...PUSH, commits: 3 }, 'push to refs/heads/main by octocat'],
    ['no pusher', { ...PUSH, pusher: undefined }, 'push to refs/heads/main: 3 commits'],
    ['a pusher that is null', { ...PUSH, pusher: null }, 'push to refs/heads/main: 3 commits'],
    ['a pusher without a name', { ...PUSH, pusher: {} }, 'push to refs/heads/main: 3 commits'],
    ['a name that is no text', { ...PUSH, pusher: { name: 7 } }, 'push to refs/heads/main: 3 commits'],
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

describe('a pull request is told in one line', () => {
  it.each<[string, unknown, string]>([
    ['a whole one', PULL_REQUEST, 'pull request #7 opened: main <- feature'],
    ['one of many', { number: 123_456 }, 'pull request #123456'],
    ['no action', { ...PULL_REQUEST, action: null }, 'pull request #7: main <- feature'],
    ['no branches', { ...PULL_REQUEST, pull_request: {} }, 'pull request #7 opened'],
    ['no base', { ...PULL_REQUEST, pull_request: { head: { ref: 'a' } } }, 'pull request #7 opened'],
    [
      'a head that is no object',
      { ...PULL_REQUEST, pull_request: { base: { ref: 'a' }, head: 'b' } },
      'pull request #7 opened',
    ],
    ['no number', { ...PULL_REQUEST, number: undefined }, 'pull request without a number opened: main <- feature'],
    ['a number that is a text', { number: '7' }, 'pull request without a number'],
    ['a number with decimals', { number: 7.5 }, 'pull request without a number'],
    ['a negative number', { number: -7 }, 'pull request without a number'],
    ['nothing', {}, 'pull request without a number'],
    ['a number alone', 7, 'pull request without a number'],
  ])('%s', (_, payload, line) => {
    expect(describePullRequest(parsed(payload))).toBe(line)
  })
})

describe('W36 whatever is told', () => {
  it.each([
    ['a control character', 'a\u0000b\u001b[31m\u0085c', 'a\ufffdb\ufffd[31m\ufffdc'],
    ['a line end', 'a\r\nb\u2028c', 'a\ufffd\ufffdb\ufffdc'],
    ['a mark that turns the writing direction', 'a\u202eb', 'a\ufffdb'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
    ['201 characters', 'a'.repeat(201), `${'a'.repeat(200)}…`],
    ['a character across the limit', `${'a'.repeat(199)}🚀`, `${'a'.repeat(199)}\ufffd…`],
  ])('%s is not shown', (_, ref, shown) => {
    expect(describePush({ ref })).toBe(`push to ${shown}`)
  })

  it('a number of a million digits is none', () => {
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
