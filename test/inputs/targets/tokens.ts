import { Buffer } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { isCsrfToken, newCsrfToken } from '../../../lib/auth/csrf.ts'
import { readCompactJwt } from '../../../lib/auth/jwt.ts'
import { createTransactions, type Transaction } from '../../../lib/auth/oauth2/transaction.ts'
import { createTokens } from '../../../lib/auth/token.ts'
import { firstIdAt } from '../../../lib/runtime/ids.ts'
import { watchCursorOf as resumeCursorOf, WatchCursor } from '../../../lib/webhooks/live/cursor.ts'
import { eventCursor } from '../../../lib/webhooks/operators/list.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { FIRST_KEY, HEADER, part, SECOND_KEY, signParts, signToken } from '../../support/fakes/jwt.ts'
import type { Random } from '../../support/random.ts'
import { changedJson } from '../json-change.ts'
import { unlessRefused, unlessRejected } from '../refusal.ts'
import { bytesOf, hold, type Target } from '../target.ts'

const NOW = START.getTime() / 1000
const CLAIMS = { sub: 'alice', role: 'ROLE_USER', iat: NOW, exp: NOW + 3600 }
const GOOD = [signToken(CLAIMS), signToken({ ...CLAIMS, role: 'ROLE_ADMIN' }, { ...HEADER, kid: 'second' }, SECOND_KEY)]
const REFUSALS = ['TOKEN_INVALID', 'TOKEN_EXPIRED'] as const

/** Another header or payload, with the old signature behind it. */
function changedToken(input: Buffer, random: Random): Buffer {
  const parts = input.toString('latin1').split('.')
  const index = random.below(2)
  const content = Buffer.from(parts[index] ?? '', 'base64url')
  return Buffer.from(
    parts.with(Math.min(index, parts.length - 1), part(changedJson(content, random))).join('.'),
    'latin1',
  )
}

const JWT_SEEDS = bytesOf(
  ...GOOD,
  signToken({ ...CLAIMS, exp: NOW - 1 }),
  signParts(part({ alg: 'none' }), part(CLAIMS)),
  `${part({ alg: 'HS512', crit: ['b64'], b64: false })}.${part(CLAIMS)}.`,
  signToken('{"sub":"a","role":"ROLE_USER","iat":1e400,"exp":-1}'),
)
const JWT_WORDS = ['.', 'eyJhbGciOiJIUzUxMiJ9', 'eyJhbGciOiJub25lIn0', '=', '-', '_', '+', '/', 'e30']

/** What counts as canonical is what its own parts make. */
const compactJwts: Target = {
  name: 'compact-jwts',
  seeds: JWT_SEEDS,
  dictionary: JWT_WORDS,
  change: changedToken,
  run(input) {
    const token = input.toString('latin1')
    const jwt = unlessRefused(REFUSALS, () => readCompactJwt(token))
    if (!jwt?.isCanonical) return
    const again = token.split('.').map((each) => Buffer.from(each, 'base64url').toString('base64url'))
    hold(again.join('.') === token, 'a token with a second spelling')
  },
}

const tokens = createTokens({
  keys: { current: [FIRST_KEY, SECOND_KEY] },
  lifetimeSeconds: 3600,
  clock: fixedClock(),
})

/** Nobody gets in but with a token that was issued, to the letter. */
const bearerTokens: Target = {
  name: 'bearer-tokens',
  seeds: JWT_SEEDS,
  dictionary: JWT_WORDS,
  change: changedToken,
  weight: 0.3,
  async run(input) {
    const token = input.toString('latin1')
    const verified = await unlessRejected(REFUSALS, () => tokens.verify(token))
    hold(verified === undefined || GOOD.includes(token), 'a token that nobody issued is taken')
  },
}

const CSRF_TOKEN = newCsrfToken('session')

const csrfTokens: Target = {
  name: 'csrf-tokens',
  seeds: bytesOf(CSRF_TOKEN, newCsrfToken(''), 'a.b', '.'),
  dictionary: ['.', '=', '-'],
  run(input) {
    const token = input.toString('latin1')
    hold(!isCsrfToken(token, 'session') || token === CSRF_TOKEN, 'a token that nobody issued is taken')
  },
}

const TRANSACTION: Transaction = {
  registrationId: 'google',
  state: '0abc',
  nonce: 'n',
  codeVerifier: 'v',
  returnTo: '/',
}
const transactions = createTransactions({ current: [new Uint8Array(32).fill(9)] }, fixedClock())
const SEALED = await transactions.seal(TRANSACTION)

const sealedLogins: Target = {
  name: 'sealed-logins',
  seeds: bytesOf(SEALED, 'a.b.c.d.e', SEALED.replace('..', '.e30.')),
  dictionary: ['.', '..', 'eyJhbGciOiJkaXIifQ', 'eyJhbGciOiJub25lIn0', '='],
  weight: 0.2,
  async run(input) {
    const text = input.toString('latin1')
    const opened = await transactions.open(text)
    // Trailing bits of base64url mean nothing, so that several spellings open; all of them are of this transaction.
    hold(opened === undefined || JSON.stringify(opened) === JSON.stringify(TRANSACTION), 'a login that nobody sealed')
  },
}

const FILTER = { source: 'stripe' }
const POSITION = { id: 12_345n, source: 'stripe', eventId: 'evt_1' }

/** A position that was read is the same once it is written again. */
const cursors: Target = {
  name: 'cursors',
  seeds: bytesOf(
    eventCursor.of(FILTER, POSITION),
    eventCursor.of({}, POSITION),
    part('["",{"id":"1","source":"a","eventId":"b"}]'),
    part('[]'),
  ),
  dictionary: ['WyI', 'IiwiM', '=', '-', '_'],
  change: (input, random) => Buffer.from(part(changedJson(Buffer.from(input.toString('latin1'), 'base64url'), random))),
  run(input) {
    const found = unlessRefused(['VALIDATION_FAILED'], () => eventCursor.read(FILTER, input.toString('latin1')))
    if (!found) return
    const again = eventCursor.read(FILTER, eventCursor.of(FILTER, found))
    hold(isDeepStrictEqual(again, found), 'another position')
  },
}

const SETTLED = firstIdAt(START.getTime())

/** What was resumed says so itself, and takes up where it left off. */
const resumeCursors: Target = {
  name: 'resume-cursors',
  seeds: bytesOf(
    resumeCursorOf(SETTLED, []),
    resumeCursorOf(SETTLED, [
      [7, SETTLED + 9n],
      [8, SETTLED + 99_999n],
    ]),
    'AAAAAAAAAAA',
  ),
  dictionary: ['AAAA', '____', '='],
  run(input) {
    const text = input.toString('latin1')
    const progress = WatchCursor.read(text)
    if (!progress) return
    const again = WatchCursor.read(progress.cursor)
    hold(again !== undefined && again.settled === progress.settled && again.last === progress.last, 'another position')
    hold(text.startsWith(resumeCursorOf(progress.settled, []).slice(0, -1)), 'a position that was not sent')
  },
}

export const TOKEN_TARGETS: readonly Target[] = [
  compactJwts,
  bearerTokens,
  csrfTokens,
  sealedLogins,
  cursors,
  resumeCursors,
]
