import { describe, expect, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { makeKey, withKey } from '../support/api-keys.ts'
import { bearer, call } from '../support/client.ts'
import { payment, postPayment } from '../support/events.ts'

const SOURCES = '/api/webhooks/sources'

interface Source {
  readonly source: string
}

describe('GET /api/webhooks/sources', () => {
  it('names the sources with a secret, with the time of the last accepted call of each', async () => {
    const before = new Date(Date.now() - 700_000).toISOString().slice(0, -1)
    await postPayment(payment())
    const { status, json } = await call(SOURCES, bearer(await tokenOf('admin')))
    expect(status).toBe(200)
    const seen = (name: string) => json.sources.find(({ source }: Source) => source === name)
    expect(seen('payment')).toMatchObject({ hasSecret: true, configured: false })
    expect(seen('payment').lastReceivedAt > before).toBe(true)
    expect(seen('zoom')).toMatchObject({ hasSecret: true, configured: false })
    expect(seen('unheard-of')).toBeUndefined()
  })

  it('names for a key only the sources that the key may read', async () => {
    const { key } = await makeKey(['stripe', 'elsewhere'])
    const { json } = await call(SOURCES, withKey(key))
    expect(json.sources.map(({ source }: Source) => source)).toEqual(['stripe'])
  })

  it('is for admins', async () => {
    expect((await call(SOURCES)).status).toBe(401)
    expect((await call(SOURCES, bearer(await tokenOf('user')))).status).toBe(403)
  })
})
