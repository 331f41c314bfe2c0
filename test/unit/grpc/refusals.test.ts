import { describe, expect, it } from 'vitest'
import { fail, unavailable } from '../../../lib/errors.ts'
import { refusals } from '../../../lib/grpc/status.ts'
import { SlowClient } from '../../../lib/runtime/limits.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'

const PATH = '/gatehouse.v1.WebhookEventService/WatchWebhookEvents'

function refused(thrown: unknown) {
  const log = recordingLog()
  const metrics = recordingMetrics()
  refusals(log, metrics)(thrown, PATH)
  return { entries: log.entries, counted: metrics.counted }
}

describe('a refused call', () => {
  const bug = new Error('bug')

  it.each([
    ['info', fail('AUTHENTICATION_REQUIRED'), { code: 'AUTHENTICATION_REQUIRED' }],
    ['error', unavailable(bug), { code: 'UNAVAILABLE', cause: bug }],
    ['error', bug, { code: 'UNEXPECTED', cause: bug }],
  ])('is %s in the log, and counted by its code', (level, thrown, fields) => {
    const { entries, counted } = refused(thrown)
    expect(entries).toEqual([{ level, message: 'call refused', fields: { path: PATH, ...fields } }])
    expect(counted).toEqual([['ChannelRefused', { channel: 'grpc', reason: fields.code }]])
  })

  it('is not logged as an error if its client was too slow, which is counted', () => {
    const { entries, counted } = refused(unavailable(new SlowClient('changes are taken too slowly')))
    const fields = { code: 'UNAVAILABLE', path: PATH, reason: 'changes are taken too slowly' }
    expect(entries).toEqual([{ level: 'info', message: 'call refused', fields }])
    expect(counted.at(-1)).toEqual(['SlowClients', {}])
  })
})
