import { expect, it } from 'vitest'
import { SAMPLES } from '../../../lib/webhooks/providers/samples.ts'
import { SIGNED } from '../../../web/events/signed.ts'

it('the console describes the signed parts of a source as the service verifies them', () => {
  const { payment, 'order-status': orderStatus, ...providers } = SIGNED
  const described = Object.entries(SAMPLES).map(([source, sample]) => {
    const { header, signed } = sample.described
    return [source, [header.replaceAll('`', ''), signed]]
  })
  expect(providers).toEqual(Object.fromEntries(described))
  expect([payment, orderStatus]).toEqual([SIGNED['generic'], SIGNED['generic']])
})
