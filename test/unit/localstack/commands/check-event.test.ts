import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { checkedConfig } from '../../../../lib/deliver/configured/read.ts'
import { detailOf } from '../../../../lib/webhooks/detail.ts'
import { checkEvent } from '../../../../localstack/commands/check/event.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'
import { temporaryFolder } from '../../../support/stack.ts'

const { path: folder, remove } = temporaryFolder()
afterAll(remove)

const HTTP = { to: 'http', url: 'https://crm.example.com/hooks', from: { '*': ['**'] } }
const TEAM = checkedConfig(
  {
    destinations: {
      crm: { ...HTTP, where: { json: { amount: [{ numeric: ['>', 100] }] } } },
      erp: { ...HTTP, where: { json: { amount: [{ numeric: ['<', 100] }] }, headers: { 'x-a': ['1'] } } },
      other: { ...HTTP, from: { stripe: ['**'] } },
    },
  },
  'local',
  [{ path: 'github/a', on: ['**'], where: { proof: { level: ['full'] } } }],
)

function checked(event: object) {
  const file = join(folder, 'event.json')
  writeFileSync(file, JSON.stringify(event))
  return checkEvent(file, TEAM).map(({ level, check, message }) => `${level} ${check}: ${message}`)
}

it('an event as the API answers it is judged for each destination and handler', () => {
  const event = { ...failedEvent({ payload: Buffer.from('{"amount":100.5}') }), source: 'github' }
  expect(checked(detailOf(event))).toEqual([
    'ok crm: gets it',
    'skipped erp: does not get it: where.headers.x-a does not match',
    'skipped other: does not get it: from does not match',
    expect.stringMatching(/^\w+ github:a: /),
  ])
})

it('an event can be written by hand', () => {
  expect(checked({ source: 'github', eventType: 'push', payload: '{"amount":1}', headers: { 'x-a': '1' } })).toEqual([
    'skipped crm: does not get it: where.json.amount does not match',
    'ok erp: gets it',
    'skipped other: does not get it: from does not match',
    'skipped github:a: does not get it: where.proof.level does not match',
  ])
})

it.each([{}, [], { source: 'github' }, { source: 'github', eventType: 'push', payloadTruncated: true }])(
  '%j is no whole event',
  (event) => {
    expect(() => checked(event)).toThrow('is no whole event as GET /api/webhooks/events/{source}/{eventId} answers it')
  },
)
