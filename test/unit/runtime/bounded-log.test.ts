import { expect, it } from 'vitest'
import { boundedLog } from '../../../lib/runtime/limits.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

it('T19 the first lines that strangers cause are written, and the number of the others', () => {
  const log = recordingLog()
  const time = virtualTime()
  const write = boundedLog(log, time.timers)
  for (let number = 0; number < 1000; number++) write('turned away', { number })
  write('something else')
  expect(log.of('turned away')).toEqual(Array.from({ length: 10 }, (_, number) => ({ number })))
  expect(log.of('something else')).toHaveLength(1)
  time.pass(10_000)
  expect(log.entries.at(-1)).toEqual({ level: 'info', message: 'turned away', fields: { more: 990 } })
  expect(log.of('something else')).toHaveLength(1)
  write('turned away', { number: 1000 })
  expect(log.entries.at(-1)?.fields).toEqual({ number: 1000 })
})
