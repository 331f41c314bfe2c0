import { expect, it, vi } from 'vitest'
import { HeartBeats } from '../../../lib/stomp/heart-beat.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

function beating(sends: number, expects: number) {
  const time = virtualTime()
  const [send, lost] = [vi.fn(), vi.fn()]
  const beats = new HeartBeats({ beat: { sends, expects }, clock: time.clock, timers: time.timers, send, lost })
  return { time, send, lost, beats }
}

it('a heart-beat is sent each time that nothing else was, and silence is reported each time that it lasts', () => {
  const { time, send, lost } = beating(100, 200)
  time.pass(999)
  expect([send, lost].map(({ mock }) => mock.calls.length)).toEqual([9, 2])
})

it('no timer is left after they are stopped', () => {
  const { time, beats, send, lost } = beating(100, 200)
  beats.stop()
  expect(time.pending()).toBe(0)
  time.pass(1000)
  expect([send, lost].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
})
