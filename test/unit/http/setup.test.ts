import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SourceConfig } from '../../../lib/config.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { answer, signedByName } from '../../../lib/http/provider-call.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { createInbox } from '../../../lib/webhooks/inbox.ts'
import { NO_LIMIT } from '../../../lib/webhooks/rate/limiter.ts'
import { openSetup, shownSetup } from '../../../lib/webhooks/setup.ts'
import { catalogFrom } from '../../../lib/webhooks/sources/catalog.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { httpEvent, lambdaContext } from '../../support/fakes/http.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { MemorySetups } from '../../support/fakes/setups.ts'
import { POLICY } from '../../support/fakes/webhooks.ts'

const MINUTE = 60_000
const TOKEN = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl'
const OTHER = 'secret_of-a-stranger'

const SOURCES: Readonly<Record<string, SourceConfig>> = {
  'notion-eu': { preset: 'notion' },
  shop: { proof: { kind: 'hmac', header: 'X-Sig' }, setup: 'token' },
  plain: { proof: { kind: 'hmac', header: 'X-Sig' } },
}

function setUp(secrets: Readonly<Record<string, string>> = {}) {
  const catalog = catalogFrom({ sources: SOURCES })
  const [clock, log, setups, store] = [fixedClock(), recordingLog(), new MemorySetups(), new MemoryStore()]
  const audit = logAudit(log)
  const baseUrl = new URL('https://api.example')
  const intake = {
    baseUrl,
    limiter: NO_LIMIT,
    trustedProxies: NO_NETWORKS,
    secrets: { current: new Map(Object.entries(secrets).map(([name, value]) => [name, [{ value }]])) },
    setups,
    toleranceSeconds: undefined,
    maxBodyBytes: 100_000,
    proofOf: () => 'required' as const,
    clock,
    audit,
  }
  const { eventStore: events, retryQueue: queue } = store
  const inbox = createInbox({ events, queue, policy: POLICY, clock, ids: countingIds(), audit, log })
  const edge = { clock, log, baseUrl, trustedOrigins: [], trustedProxies: NO_NETWORKS, profile: 'default' }
  const handler = endpoint(
    ROUTES.webhookProvider,
    edge,
    signedByName(ROUTES.webhookProvider, intake, catalog),
    ({ input }) => answer(input, inbox, clock),
  )
  const parts = { setups, clock, catalog }
  return {
    clock,
    log,
    setups,
    store,
    open: (name: string) => openSetup(parts, name),
    shown: (name: string) => shownSetup(parts, name),
    async post(name: string, body: string, headers: Record<string, string> = {}) {
      const event = httpEvent({ method: 'POST', path: `/webhooks/${name}`, headers, body })
      const { statusCode, headers: answered, body: text } = await handler(event, lambdaContext())
      return { status: statusCode, headers: answered, text }
    },
  }
}

const CLOSED = { state: 'closed', token: null, at: null, from: null }
const CONFLICT = { ...CLOSED, state: 'conflict' }
const RECEIVED = { state: 'received', token: TOKEN, at: '2026-01-02T03:04:05.000', from: '192.0.2.1' }
const member = (name: string, token = TOKEN) => JSON.stringify({ [name]: token })

type Way = readonly [name: string, body: string, headers: Record<string, string>, echo: Record<string, string> | string]

/** How the first call hands its token over, and what it has to be answered. */
const WAYS: readonly Way[] = [
  ['notion', member('verification_token'), {}, member('verification_token')],
  ['notion-eu', member('verification_token'), {}, member('verification_token')],
  ['asana', '', { 'x-hook-secret': TOKEN }, { 'x-hook-secret': TOKEN }],
  ['asana', '{"events":[]}', { 'x-hook-secret': TOKEN }, { 'x-hook-secret': TOKEN }],
  ['shop', '{}', { 'x-hook-secret': TOKEN }, { 'x-hook-secret': TOKEN }],
  ['shop', member('verification_token'), {}, member('verification_token')],
  ['shop', member('token'), {}, member('token')],
  ['shop', member('challenge'), {}, member('challenge')],
]

describe.each(WAYS)('W11 the first call of %s, %s %j,', (name, body, headers, echo) => {
  it('is answered as its sender wants while its set-up is open, is no event, and its token is shown and not logged', async () => {
    const { open, shown, post, store, log } = setUp()
    expect(await open(name)).toEqual({ until: '2026-01-02T04:04:05.000' })
    expect(await shown(name)).toEqual({ ...CLOSED, state: 'open' })
    const reply = await post(name, body, headers)
    expect(reply.status).toBe(200)
    if (typeof echo === 'string') expect(reply.text).toBe(echo)
    else expect(reply.headers).toMatchObject(echo)
    expect(await shown(name)).toEqual(RECEIVED)
    expect(store.events.size).toBe(0)
    expect(JSON.stringify(log.entries)).not.toContain(TOKEN)
  })

  it('is 401 before and after', async () => {
    const { open, shown, post, clock, setups } = setUp({ [name]: 'shared secret' })
    expect((await post(name, body, headers)).status).toBe(401)
    expect([await shown(name), setups.rows.size]).toEqual([CLOSED, 0])
    await open(name)
    clock.advance(60 * MINUTE)
    expect((await post(name, body, headers)).status).toBe(401)
    expect(await shown(name)).toEqual(CLOSED)
  })
})

describe('an open set-up', () => {
  it('takes the same token again: its sender did not hear the answer', async () => {
    const { open, shown, post, clock } = setUp()
    await open('notion')
    await post('notion', member('verification_token'))
    clock.advance(MINUTE)
    expect((await post('notion', member('verification_token'))).status).toBe(200)
    expect(await shown('notion')).toEqual(RECEIVED)
  })

  it('ends with another token, and keeps neither', async () => {
    const { open, shown, post, setups } = setUp()
    await open('asana')
    expect((await post('asana', '', { 'x-hook-secret': TOKEN })).status).toBe(200)
    expect((await post('asana', '', { 'x-hook-secret': OTHER })).status).toBe(401)
    expect(await shown('asana')).toEqual(CONFLICT)
    expect((await post('asana', '', { 'x-hook-secret': TOKEN })).status).toBe(401)
    expect(JSON.stringify([...setups.rows])).not.toMatch(/secret_/)
  })

  it('shows a token until its hour ends', async () => {
    const { open, shown, post, clock } = setUp()
    await open('notion')
    await post('notion', member('verification_token'))
    clock.advance(60 * MINUTE - 1)
    expect(await shown('notion')).toEqual(RECEIVED)
    clock.advance(1)
    expect(await shown('notion')).toEqual(CLOSED)
  })

  it('can be opened again, for another account and after a conflict', async () => {
    const { open, shown, post } = setUp()
    for (const token of [TOKEN, OTHER]) {
      await open('asana')
      await post('asana', '', { 'x-hook-secret': token })
      expect(await shown('asana')).toMatchObject({ state: 'received', token })
    }
  })

  it('leaves events as they are: a signed call is one, whatever it holds', async () => {
    const { open, shown, post, store } = setUp({ notion: 'shared secret' })
    await open('notion')
    const body = JSON.stringify({ id: 'e-1', type: 'page.created', verification_token: TOKEN })
    const signature = `sha256=${createHmac('sha256', 'shared secret').update(body).digest('hex')}`
    expect((await post('notion', body, { 'x-notion-signature': signature })).status).toBe(200)
    expect(await shown('notion')).toMatchObject({ state: 'open' })
    expect(store.events.size).toBe(1)
    expect((await post('notion', body, { 'x-notion-signature': 'sha256=00' })).status).toBe(401)
  })

  it.each([
    ['no token', 'notion', '{}', {}],
    ['one in another place', 'notion', '', { 'x-hook-secret': TOKEN }],
    ['a short one', 'notion', member('verification_token', 'short'), {}],
    ['one with a line end', 'notion', member('verification_token', `${TOKEN}\n`), {}],
    ['one that is too long', 'notion', member('verification_token', 'a'.repeat(1025)), {}],
    ['one in a large body', 'notion', `${member('verification_token')}${' '.repeat(4096)}`, {}],
    ['one in a header that is too long', 'asana', '', { 'x-hook-secret': 'a'.repeat(1025) }],
  ])('refuses a call with %s', async (_, name, body, headers) => {
    const { open, shown, post } = setUp()
    await open(name)
    expect((await post(name, body, headers as Record<string, string>)).status).toBe(401)
    expect(await shown(name)).toMatchObject({ state: 'open' })
  })

  it.each(['slack', 'plain', 'nobody', 'payment', 'constructor', ''])(
    'is for no source that hands no token over: %j',
    async (name) => {
      const { open, shown, post, setups } = setUp()
      await expect(open(name)).rejects.toMatchObject({ code: 'SETUP_NOT_FOUND' })
      await expect(shown(name)).rejects.toMatchObject({ code: 'SETUP_NOT_FOUND' })
      await setups.open(name, new Date('2100-01-01T00:00:00.000Z'))
      if (name !== '') expect((await post(name, member('verification_token'))).status).toBe(401)
    },
  )
})
