import { describe, expect, it } from 'vitest'
import { fail, invalid, type ServiceError, unavailable } from '../../../lib/errors.ts'
import { type AuditDecision, logAudit, refusalIn } from '../../../lib/webhooks/audit.ts'
import { paymentSource } from '../../../lib/webhooks/sources/payment.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { failedEvent } from '../../support/fakes/webhooks.ts'

describe('the audit', () => {
  it.each<[AuditDecision, string]>([
    ['received', 'info'],
    ['refused', 'warn'],
  ])('writes one structured line for %s', (decision, level) => {
    const log = recordingLog()
    logAudit(log).decided(decision, { source: 'payment', eventId: 'event-1', n: 2 })
    const fields = { decision, source: 'payment', eventId: 'event-1', n: 2 }
    expect(log.entries).toEqual([{ level, message: 'audit', fields }])
  })

  it('names the operator of a decision on a destination, and the reason', () => {
    const log = recordingLog()
    const about = { destination: 'crm', user: 'admin', note: 'moving house' }
    logAudit(log).decided('disabled', about)
    expect(log.of('audit')).toEqual([{ decision: 'disabled', ...about }])
  })

  it('writes no payload and no header of its event', () => {
    const log = recordingLog()
    logAudit(log).decided('failed', failedEvent({ headers: { 'user-agent': 'sender/1' } }))
    expect(log.of('audit')).toEqual([{ decision: 'failed', source: 'test', eventId: 'event-1', eventType: 'TEST' }])
  })
})

describe('a failure of the intake', () => {
  it.each<[string, ServiceError]>([
    ['too-large', fail('PAYLOAD_TOO_LARGE')],
    ['encoded', fail('CODING_UNSUPPORTED', { given: 'gzip' })],
    ['invalid-payload', invalid([{ path: ['amount'], message: 'is required' }])],
  ])('because of the content of a call is a refusal, audited once, with the reason %s', (reason, error) => {
    const log = recordingLog()
    const refused = refusalIn(error, logAudit(log), paymentSource)
    expect(refused).toMatchObject({ sender: paymentSource, reason, code: error.code, details: error.details })
    expect(refusalIn(refused, logAudit(log), paymentSource)).toBe(refused)
    expect(log.of('audit')).toEqual([{ decision: 'refused', source: 'payment', reason }])
  })

  it.each([
    ['an outage of the store', unavailable(new Error('down'))],
    ['a bug', new TypeError('bug')],
  ])('for another reason is no refusal: %s', (_, error) => {
    const log = recordingLog()
    expect(refusalIn(error, logAudit(log), paymentSource)).toBe(error)
    expect(log.entries).toEqual([])
  })
})
