import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../lib/errors.ts'
import { correlated } from '../../../lib/runtime/correlation.ts'
import { nameHashOf } from '../../../lib/trail/keys.ts'
import { loginLines } from '../../../lib/trail/login-lines.ts'
import { tellingFailures } from '../../../lib/trail/telling-failures.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { recordingTrail } from '../../support/fakes/trail.ts'
import { ENTRY, TRAIL_KEY } from '../../support/trail.ts'

const HERE = '192.0.2.1'
const ALICE = { uid: 'id-1', username: 'Alice', authType: 'JDBC', roles: ['ROLE_USER'], passwordHash: 'secret' }

describe('A02 logins', () => {
  it('are recorded with user and method, under the id of the call', async () => {
    const trail = recordingTrail()
    const logins = loginLines(trail, { current: [TRAIL_KEY] })
    await correlated({ requestId: 'r-1' }, () => logins.accepted(ALICE, 'form', HERE))
    await logins.ended(ALICE, HERE)
    const alice = { uid: 'id-1', user: 'Alice', authType: 'JDBC', from: HERE }
    expect(trail.entries).toEqual([
      { ...alice, action: 'login.accepted', method: 'form', requestId: 'r-1' },
      { ...alice, action: 'logins.ended' },
    ])
  })

  it('that were refused are recorded under a hash of the name', async () => {
    const trail = recordingTrail()
    await loginLines(trail, { current: [TRAIL_KEY] }).refused('my password', 'token', HERE)
    const nameHash = nameHashOf(TRAIL_KEY, 'my password')
    const refused = { action: 'login.refused', outcome: 'BAD_CREDENTIALS', method: 'token' }
    expect(trail.entries).toEqual([{ ...refused, nameHash, from: HERE }])
    expect(JSON.stringify(trail.entries)).not.toContain('my password')
  })

  it('A11 continue without a line', async () => {
    const trail = recordingTrail()
    trail.isDown = true
    const logins = loginLines(trail, { current: [TRAIL_KEY] })
    await expect(logins.accepted(ALICE, 'basic', HERE)).resolves.toBeUndefined()
    await expect(logins.refused('alice', 'basic', HERE)).resolves.toBeUndefined()
    await expect(logins.ended(ALICE, HERE)).resolves.toBeUndefined()
  })
})

it('A11 a missing line is an error in the log, and counted', async () => {
  const [log, metrics, cause] = [recordingLog(), recordingMetrics(), unavailable(new Error('down'))]
  const { record } = tellingFailures({ record: () => Promise.reject(cause) }, { log, metrics })
  await expect(record(ENTRY)).rejects.toBe(cause)
  expect(log.entries).toEqual([
    { level: 'error', message: 'a line of the audit trail is missing', fields: { action: 'user.created', cause } },
  ])
  expect(metrics.counted).toEqual([['AuditFailed', {}]])
})
