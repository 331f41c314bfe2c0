import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, it } from 'vitest'
import { CLIENT_NAME, MAXIMUM_CALLS, openCallLog, secretCredential } from '../../../../localstack/lab/call.ts'
import { FAULT_NAMES } from '../../../../localstack/lab/faults.ts'
import description from '../../../../localstack/lab/openapi.json' with { type: 'json' }
import { clientReport } from '../../../../localstack/lab/report.ts'

const { schemas } = description.components
const at = new Date('2026-11-26T10:00:00Z')
const clock = { now: () => at }

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
ajv.addSchema(description, 'lab')
const isReport = (report: unknown) => ajv.validate({ $ref: 'lab#/components/schemas/Report' }, report)

it('the description matches every report', () => {
  const log = openCallLog()
  const common = { at, method: 'GET', path: '/api/auth/info' }
  log.add('one', 'revoked', { ...common, credential: { kind: 'unknown scheme' } })
  log.add('one', 'revoked', {
    ...common,
    credential: secretCredential('token', 'a'),
    answer: {
      at,
      status: 401,
      tokenStatus: 'REVOKED',
      retryAfter: 2,
      challenge: 'DPoP',
      issued: secretCredential('session', 'b'),
    },
  })
  for (const name of ['one', 'nobody']) {
    const report = JSON.parse(JSON.stringify(clientReport(name, log, clock)))
    expect([isReport(report), ajv.errors]).toEqual([true, null])
  }
  expect(isReport({ client: 'one', at: at.toISOString(), faults: [] })).toBe(false)
})

it('description and faults name the same faults, and the same limits', () => {
  expect(schemas.FaultName.enum).toEqual(FAULT_NAMES)
  expect(schemas.ClientName.pattern).toBe(CLIENT_NAME.source)
  expect(schemas.Fault.properties.calls.maxItems).toBe(MAXIMUM_CALLS)
})
