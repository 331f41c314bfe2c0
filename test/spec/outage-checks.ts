import { expect } from 'vitest'
import { call, form } from '../support/client.ts'
import { genericSignature, payment, postPayment } from '../support/events.ts'
import { storeBrokenEvent } from './broken-event.ts'
import type { AdverseChecks } from './checks.ts'
import { expectRefusal, type Refusal } from './refusals.ts'
import { expectResponse } from './webhook-signatures.ts'

const LOGIN = '/api/auth/login'
const MESSAGE = 'Service temporarily unavailable'

const down = (path: string): Refusal => ({ status: 503, message: MESSAGE, path })

/** They end without a store. */
export const outageChecks = {
  '7/rule-5': async ({ admin, loseStore }) => {
    const path = await storeBrokenEvent()
    expectRefusal(await admin.call(path), { status: 500, message: 'An unexpected error occurred', path })
    await loseStore()
    const answer = await admin.call(path)
    expectRefusal(answer, down(path))
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
  },

  '7/503': async ({ store, loseStore }) => {
    await loseStore()
    const login = await call(LOGIN, form({ username: `${store}user`, password: 'x' }))
    expectRefusal(login, down(LOGIN))
    const body = JSON.stringify(payment())
    const webhook = await postPayment(body, genericSignature(body))
    expectResponse(webhook, 503, MESSAGE)
    for (const { headers } of [login, webhook]) expect(headers['retry-after']).toMatch(/^\d+$/)
  },
} satisfies AdverseChecks
