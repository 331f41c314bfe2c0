import { describe, expect, it } from 'vitest'
import { createBacklog } from '../../../../lib/webhooks/live/watch.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'

function backlogOf(limit = 2) {
  const time = virtualTime()
  const abort = new AbortController()
  return { time, abort, backlog: createBacklog<string>(limit, time.timers, abort.signal) }
}

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
