import { describe, expect, it } from 'vitest'
import { readLine } from '../../../lib/trail/line.ts'
import { ENTRY, TRAIL_KEY, trailWorld } from '../../support/trail.ts'

const UNAVAILABLE = { code: 'UNAVAILABLE' }

describe('the trail of a process', () => {
  it('is one chain: each line names the one before, and the head the last', async () => {
    const { stored, process, verify } = trailWorld()
    const { record } = process()
    for (const requestId of ['r-1', 'r-2', 'r-3']) await record({ ...ENTRY, requestId })
    const lines = stored.lines.map(({ text }) => readLine(text))
    expect(lines).toMatchObject([
      { seq: 1, prev: '' },
      { seq: 2, prev: lines[0]?.mac },
      { seq: 3, prev: lines[1]?.mac },
    ])
    expect(stored.heads.get('chain-1')).toMatchObject({ seq: 3, mac: lines[2]?.mac })
    expect(await verify()).toEqual({ findings: [], lines: 3, chains: 1, beyond: 0 })
  })

  it('has times in the order of its lines, even while the clock does not advance or moves back', async () => {
    const { stored, clock, process } = trailWorld()
    const { record } = process()
    await record(ENTRY)
    await record(ENTRY)
    clock.advance(-60_000)
    await record(ENTRY)
    const times = stored.lines.map(({ text }) => readLine(text)?.at.getTime() ?? 0)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(new Set(times).size).toBe(3)
  })

  it('writes lines that arrive during a write at once, in order', async () => {
    const { stored, written, verify } = trailWorld()
    await written(250)
    expect(stored.appends).toEqual([1, 100, 100, 49])
    expect((await verify()).findings).toEqual([])
  })

  it('names the chain that was opened before it', async () => {
    const { stored, written } = trailWorld()
    await written(2)
    await written(1)
    const named = stored.lines.map(({ text }) => readLine(text)?.after)
    expect(named).toEqual([undefined, undefined, 'chain-1'])
    expect(stored.newest?.chain).toBe('chain-2')
  })

  it('seals with the first key of the ring, and continues with another one after a rotation', async () => {
    const keys = { current: [TRAIL_KEY] }
    const { stored, process, verify } = trailWorld(keys)
    const { record } = process()
    await record(ENTRY)
    keys.current = [{ kid: 'k2', secret: new Uint8Array(32).fill(2) }, TRAIL_KEY]
    await record(ENTRY)
    expect(stored.lines.map(({ text }) => readLine(text)?.kid)).toEqual(['k1', 'k2'])
    expect((await verify()).findings).toEqual([])
  })
})

describe('A10 a write that fails', () => {
  it.each(['lost', 'late', 'head'] as const)('(%s) fails its lines, and leaves a complete trail', async (fault) => {
    const { stored, process, verify } = trailWorld()
    const { record } = process()
    await record(ENTRY)
    stored.faults.push(fault)
    await expect(record(ENTRY)).rejects.toMatchObject(UNAVAILABLE)
    await record(ENTRY)
    const [isThere, chains] = [fault !== 'lost', stored.lines.map(({ stream }) => stream)]
    expect(chains).toEqual(['chain-1', ...(isThere ? ['chain-1'] : []), 'chain-2'])
    expect(await verify()).toEqual({ findings: [], lines: chains.length, chains: 2, beyond: isThere ? 1 : 0 })
  })

  it('of a process that ended before its first line causes no finding', async () => {
    const { stored, process, written, verify } = trailWorld()
    await written(1)
    stored.faults.push('lost')
    await expect(process().record(ENTRY)).rejects.toMatchObject(UNAVAILABLE)
    await written(1)
    expect((await verify()).findings).toEqual([])
  })
})
