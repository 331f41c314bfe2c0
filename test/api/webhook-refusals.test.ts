import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, type Call, call } from '../support/client.ts'
import { postJson, postPayment } from '../support/events.ts'
import { inFull } from '../support/full-runs.ts'
import { storedRow } from '../support/local-tables.ts'
import { logLines } from '../support/service-log.ts'

interface Refusal {
  readonly id: string
  readonly source: string
  readonly verdict: { readonly reason: string }
  readonly count: number
  readonly headers: Readonly<Record<string, string | null>>
}

/** Longer than the pause in which an instance only counts. */
const POLLED = { timeout: 25_000, interval: 1000 }

const CALLS = inFull(1000)

async function list(query = '', user = 'admin'): Promise<Answer> {
  return call(`/api/webhooks/refusals${query}`, bearer(await tokenOf(user)))
}

/** Sends a call again and again until the list shows it: tests beside this one have the same refusals. */
async function untilListed(query: string, send: () => Promise<unknown>, isMeant: (refusal: Refusal) => boolean) {
  const found = async () => {
    await send()
    return ((await list(query)).json.refusals as Refusal[]).find(isMeant)
  }
  await expect.poll(found, POLLED).toBeDefined()
  return (await found()) as Refusal
}

const post = (name: string, headers: Call['headers'] = {}, body = '{}') =>
  call(`/webhooks/${name}`, postJson(body, headers))

describe('GET /api/webhooks/refusals', () => {
  it('shows what was refused, with its cause and without any secret', async () => {
    const [mark, agent] = [`mark-${crypto.randomUUID()}`, `sender-${crypto.randomUUID()}`]
    const headers = {
      'user-agent': agent,
      authorization: `Bearer ${mark}`,
      cookie: `JSESSIONID=${mark}`,
      'x-gitlab-token': mark,
      'x-hub-signature-256': `sha256=${mark}`,
    }
    const send = () => call(`/webhooks/meta?token=${mark}`, postJson({ mark }, headers))
    const refusal = await untilListed('?source=meta', send, (one) => one.headers['user-agent'] === agent)
    expect(refusal).toMatchObject({
      source: 'meta',
      reason: 'no-readable-signature',
      address: '127.0.0.1',
      size: JSON.stringify({ mark }).length,
      headers: { 'content-type': 'application/json', authorization: null, 'x-hub-signature-256': null },
    })
    const [day = '', ...cause] = refusal.id.split('#')
    const row = await storedRow('refusals', { day, cause: cause.join('#') })
    expect(row).toMatchObject({ source: 'meta', headers: { 'user-agent': agent } })
    const log = logLines().join()
    for (const held of [JSON.stringify(row), JSON.stringify(refusal), log]) expect(held).not.toContain(mark)
  })

  it(`W41 counts ${CALLS} calls under ${CALLS / 2} names that do not exist on one row`, async () => {
    const rows = async () =>
      ((await list('?limit=200&source=(unknown)&reason=no-secret')).json.refusals as Refusal[]).filter(
        ({ verdict }) => verdict.reason === 'no-secret',
      )
    const sum = async () => (await rows()).reduce((total, { count }) => total + count, 0)
    const before = await sum()
    for (let sent = 0; sent < CALLS; sent += 50) {
      const names = Array.from({ length: 50 }, (_, index) => `made-up-${(sent + index) % (CALLS / 2)}`)
      const statuses = await Promise.all(names.map(async (name) => (await post(name)).status))
      expect(new Set(statuses)).toEqual(new Set([401]))
    }
    const counted = async () => {
      await post('made-up-last')
      return (await sum()) - before
    }
    await expect.poll(counted, POLLED).toBeGreaterThanOrEqual(CALLS)
    // Two, if a quarter of the day ended meanwhile.
    expect((await rows()).length).toBeLessThanOrEqual(2)
    const { json } = await list('?limit=200')
    expect(json.refusals.filter(({ source }: Refusal) => source.startsWith('made-up'))).toEqual([])
  })

  it('counts calls that are refused for their content as well', async () => {
    const send = () => postPayment('{"eventId":1}')
    const { verdict } = await untilListed('?reason=invalid-payload', send, ({ source }) => source === 'payment')
    expect(verdict).toEqual({ reason: 'invalid-payload', sentence: expect.stringMatching(/^Validation failed: /) })
  })

  it('lists them page by page', async () => {
    await post('made-up')
    const ids: string[] = []
    let cursor: string | null = ''
    do {
      const { status, json } = await list(`?limit=1${cursor && `&cursor=${cursor}`}`)
      expect(status).toBe(200)
      ids.push(...json.refusals.map(({ id }: Refusal) => id))
      cursor = json.nextCursor
    } while (cursor !== null && ids.length < 500)
    expect(cursor).toBeNull()
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each([
    ['an unknown reason', '?reason=bad', ['reason']],
    ['a limit of 0 and a bad time', '?limit=0&to=tomorrow', ['limit', 'to']],
    ['an unknown parameter', '?status=FAILED', ['status']],
    ['an invalid cursor', '?cursor=abc', ['cursor']],
    ['an end before its beginning', '?from=2026-01-02T00:00&to=2026-01-01T00:00', ['to']],
  ])('P04 answers 400 to %s and names it', async (_, query, fields) => {
    const { status, json } = await list(query)
    expect(status).toBe(400)
    expect(json.details.validationErrors.map(({ field }: { field: string }) => field).sort()).toEqual(fields)
  })

  it('P02 answers 400 to the cursor of another filter', async () => {
    await untilListed(
      '',
      () => post('made-up'),
      ({ source }) => source === '(unknown)',
    )
    const { json } = await list('?limit=1')
    expect((await list(`?limit=1&source=stripe&cursor=${json.nextCursor}`)).status).toBe(400)
  })

  it('P01 is for admins', async () => {
    expect((await list('', 'user')).status).toBe(403)
    expect((await call('/api/webhooks/refusals')).status).toBe(401)
  })
})
