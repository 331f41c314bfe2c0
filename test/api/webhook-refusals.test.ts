import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { type Answer, bearer, call } from '../support/client.ts'
import { postJson, postPayment } from '../support/events.ts'
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

  it('counts calls that are refused for their content as well', async () => {
    const send = () => postPayment('{"eventId":1}')
    const { verdict } = await untilListed('?reason=invalid-payload', send, ({ source }) => source === 'payment')
    expect(verdict).toEqual({ reason: 'invalid-payload', sentence: expect.stringMatching(/^Validation failed: /) })
  })

  it('P02 continues after a page, and answers 400 to the cursor of another filter', async () => {
    await untilListed(
      '',
      () => call('/webhooks/made-up', postJson({})),
      ({ source }) => source === '(unknown)',
    )
    await postPayment('{"eventId":1}')
    await expect.poll(async () => (await list()).json.refusals.length, POLLED).toBeGreaterThan(1)
    const { json: first } = await list('?limit=1')
    const { json: second } = await list(`?limit=1&cursor=${first.nextCursor}`)
    expect(second.refusals).toHaveLength(1)
    expect(second.refusals[0].id).not.toBe(first.refusals[0].id)
    expect((await list(`?limit=1&source=stripe&cursor=${first.nextCursor}`)).status).toBe(400)
  })

  it.each([
    [
      'wrong and unknown parameters',
      '?reason=bad&limit=0&to=tomorrow&status=FAILED',
      ['limit', 'reason', 'status', 'to'],
    ],
    ['an end before its beginning', '?from=2026-01-02T00:00&to=2026-01-01T00:00', ['to']],
  ])('P04 answers 400 to %s and names it', async (_, query, fields) => {
    const { status, json } = await list(query)
    expect(status).toBe(400)
    expect(json.details.validationErrors.map(({ field }: { field: string }) => field).sort()).toEqual(fields)
  })

  it('P01 is for admins', async () => {
    expect((await list('', 'user')).status).toBe(403)
    expect((await call('/api/webhooks/refusals')).status).toBe(401)
  })
})
