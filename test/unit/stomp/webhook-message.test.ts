import { expect, it } from 'vitest'
import { webhookMessage } from '../../../lib/stomp/changes.ts'
import type { EventChange } from '../../../lib/webhooks/live/cursor.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { changeAt } from '../../support/watch-world.ts'

const CHANGE = changeAt(virtualTime(), 'a')

it.each<[string, EventChange['proof']]>([
  [
    'with its proof',
    {
      level: 'full',
      typeSigned: true,
      idSigned: true,
      key: 'stripe#1',
      signedAt: '2026-01-02T03:04:05.000Z',
      stale: true,
    },
  ],
  ['without a proof, if its hint is of an older version', undefined],
])('a notice contains an event %s', (_, proof) => {
  const { changeId, ...told } = CHANGE
  const { body } = webhookMessage({ change: { ...CHANGE, proof }, cursor: 'c' })
  expect(JSON.parse(body.toString())).toEqual({ cursor: 'c', ...told, proof })
})
