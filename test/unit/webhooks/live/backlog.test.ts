import { describe, expect, it } from 'vitest'
import { SlowClient } from '../../../../lib/runtime/slow-client.ts'
import { createBacklog } from '../../../../lib/webhooks/live/backlog.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'

function backlogOf(limit = 2) {
  const time = virtualTime()
  const abort = new AbortController()
  return { time, abort, backlog: createBacklog<string>(limit, time.timers, abort.signal) }
}

describe('waiting changes', () => {
  it('are returned in order', () => {
    const { backlog } = backlogOf()
    for (const item of ['a', 'b']) backlog.add(item)
    expect([backlog.next(), backlog.next(), backlog.next()]).toEqual(['a', 'b', undefined])
  })

  it('are given up when they exceed the limit, and not before', () => {
    const { backlog } = backlogOf()
    for (const item of ['a', 'b']) backlog.add(item)
    expect(backlog.next()).toBe('a')
    for (const item of ['c', 'd']) backlog.add(item)
    expect(() => backlog.next()).toThrow(
      expect.objectContaining({ code: 'UNAVAILABLE', cause: new SlowClient('changes are taken too slowly') }),
    )
  })
})

describe('silence', () => {
  it('occurs when nothing arrives for its time', async () => {
    const { backlog, time } = backlogOf()
    const isSilent = backlog.isSilent(1000)
    time.pass(1000)
    expect(await isSilent).toBe(true)
  })

  it.each<[string, (world: ReturnType<typeof backlogOf>) => void]>([
    ['something comes', ({ backlog }) => backlog.add('a')],
    ['the caller stops waiting', ({ abort }) => abort.abort()],
  ])('ends when %s, and no timer is left', async (_, end) => {
    const world = backlogOf()
    const isSilent = world.backlog.isSilent(1000)
    world.time.pass(999)
    end(world)
    expect([await isSilent, world.time.pending()]).toEqual([false, 0])
  })

  it.each<[string, (world: ReturnType<typeof backlogOf>) => void]>([
    ['something waits', ({ backlog }) => backlog.add('a')],
    ['the caller does not wait for it', ({ abort }) => abort.abort()],
  ])('does not occur if %s already', async (_, begin) => {
    const world = backlogOf()
    begin(world)
    const isSilent = world.backlog.isSilent(1000)
    expect([world.time.pending(), await isSilent]).toEqual([0, false])
  })
})
