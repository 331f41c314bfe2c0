import { randomInt } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealHead, sealNewest } from '../../../lib/trail/head.ts'
import { readLine, sealLine } from '../../../lib/trail/line.ts'
import type { FoundLine } from '../../../lib/trail/seen-chains.ts'
import { verifyTrail } from '../../../lib/trail/verify.ts'
import { START } from '../../support/fakes/clock.ts'
import { inFull } from '../../support/full-runs.ts'
import { ENTRY, each, TRAIL_KEY, trailWorld } from '../../support/trail.ts'

const CHAINS = inFull(100, 30)
const LENGTH = CHAINS
const ANOTHER = `chain-${CHAINS - 1}`
const FOREIGN = { kid: TRAIL_KEY.kid, secret: new Uint8Array(32).fill(9) }

/** What somebody may do to the line at a place of a chain. */
type Tampering = (lines: FoundLine[], place: number) => FoundLine[]

const TAMPERINGS: Readonly<Record<string, Tampering>> = {
  'A04 removed': (lines, place) => lines.toSpliced(place, 1),
  'A05 changed in its content': changing((text) => text.replace('"Ada"', '"Bob"')),
  'A05 changed in its MAC': changing((text) => text.replace(/.(?="\}$)/, (last) => (last === 'A' ? 'B' : 'A'))),
  'A05 changed in its number': changing((text) => text.replace(/"seq":\d+/, '"seq":777')),
  'A05 replaced by a text': changing(() => 'nothing to see here'),
  'A06 moved to the end': (lines, place) => [
    ...lines.toSpliced(place, 1),
    ...lines.slice(place, place + 1),
    ...twin(lines, place),
  ],
  'A06 doubled': (lines, place) => lines.toSpliced(place, 0, ...lines.slice(place, place + 1)),
  'A06 swapped with its neighbor': swapped,
  'A06 moved to another chain': changing((text) => text.replace(/"chain-\d+"/, `"${ANOTHER}"`)),
  'A06 moved to another stream': (lines, place) => lines.with(place, { ...one(lines, place), stream: 'elsewhere' }),
  'A07 forged with another key': changing((text) => resealed(text)),
}

function one(lines: readonly FoundLine[], place: number): FoundLine {
  return lines[place] ?? expect.fail('no line')
}

/** The last one is at the end already: there it comes once more. */
function twin(lines: readonly FoundLine[], place: number): readonly FoundLine[] {
  return place === lines.length - 1 ? lines.slice(-1) : []
}

function changing(change: (text: string) => string): Tampering {
  return (lines, place) => lines.with(place, { ...one(lines, place), text: change(one(lines, place).text) })
}

function swapped(lines: FoundLine[], place: number): FoundLine[] {
  const other = place === 0 ? 1 : place - 1
  return lines.with(place, one(lines, other)).with(other, one(lines, place))
}

function resealed(text: string): string {
  const { chain, seq, prev, at } = readLine(text) ?? expect.fail('no line')
  return sealLine({ chain, seq, prev, at }, { ...ENTRY, user: 'Mallory' }, FOREIGN).text
}

describe('many lines', () => {
  const { stored, written, verify } = trailWorld()
  let byChain: ReadonlyMap<string | undefined, FoundLine[]>

  beforeAll(async () => {
    for (let chain = 0; chain < CHAINS; chain++) await written(LENGTH)
    byChain = Map.groupBy(stored.lines, ({ stream }) => stream)
  })

  it('that are unchanged are complete', async () => {
    expect(await verify()).toEqual({ findings: [], lines: CHAINS * LENGTH, chains: CHAINS, beyond: 0 })
  })

  it.each(Object.entries(TAMPERINGS))('%s: a line is found, at any place of its chain', async (_, tamper) => {
    const chains = [...byChain]
    const { findings } = await verify(chains.flatMap(([, lines], place) => tamper(lines, place)))
    const found = new Set(findings.map(({ chain }) => chain))
    const unfound = chains.map(([chain]) => chain).filter((chain) => !found.has(chain))
    // Of a text that is no line nobody knows the chain, but its number is missing there.
    expect(unfound.filter((chain) => chain !== ANOTHER)).toEqual([])
  })

  it('A04 name the missing lines, including the first and the last', async () => {
    const [first = [], second = [], third = [], fourth = []] = [...byChain.values()]
    const left = [first.slice(1), second.slice(0, -1), third.toSpliced(3, 2), fourth.slice(0, 0)].flat()
    const { findings } = await verify([...left, ...stored.lines.slice(4 * LENGTH)])
    expect(findings).toEqual([
      { line: 2 * (LENGTH - 1) + 4, chain: 'chain-3', seq: 6, what: 'follows line 3: lines 4 to 5 are missing' },
      { chain: 'chain-1', seq: 2, what: 'is the first one: line 1 is missing' },
      { chain: 'chain-2', seq: LENGTH, what: `was the last one: line ${LENGTH} is missing` },
      { chain: 'chain-4', seq: LENGTH, what: `was the last one: lines 1 to ${LENGTH} are missing` },
    ])
  })

  it('A09 cut short are found, at any place', async () => {
    const { findings } = await verify(stored.lines.slice(0, randomInt(1, stored.lines.length)))
    expect(findings.length).toBeGreaterThan(0)
  })
})

describe('a few chains', () => {
  it.each(Object.entries(TAMPERINGS))(
    '%s: a single line is found, and no finding names another chain',
    async (_, tamper) => {
      const { stored, written, verify } = trailWorld()
      for (let chain = 0; chain < 3; chain++) await written(5)
      for (let place = 0; place < 5; place++) {
        const tampered = tamper(stored.lines.slice(5, 10), place)
        const { findings } = await verify([...stored.lines.slice(0, 5), ...tampered, ...stored.lines.slice(10)])
        expect(findings.length, `place ${place}`).toBeGreaterThan(0)
        for (const { chain = 'chain-2' } of findings) expect(['chain-2', ANOTHER]).toContain(chain)
      }
    },
  )
})

describe('one chain of a single line', () => {
  it.each(Object.entries(TAMPERINGS).filter(([name]) => !/swapped|end/.test(name)))(
    '%s is found',
    async (_, tamper) => {
      const { stored, written, verify } = trailWorld()
      await written(1)
      expect((await verify(tamper(stored.lines, 0))).findings.length).toBeGreaterThan(0)
    },
  )
})

describe('heads', () => {
  async function three() {
    const world = trailWorld()
    for (let chain = 0; chain < 3; chain++) await world.written(3)
    return world
  }

  const withoutChain = (lines: readonly FoundLine[], gone: string) => lines.filter(({ stream }) => stream !== gone)

  it('A08 report the loss of a whole chain', async () => {
    const { stored, verify } = await three()
    expect((await verify(withoutChain(stored.lines, 'chain-2'))).findings).toEqual([
      { chain: 'chain-2', seq: 3, what: 'was the last one: lines 1 to 3 are missing' },
    ])
  })

  it.each([
    ['one in between, which the next one names', 'chain-2'],
    ['the newest, which the table names', 'chain-3'],
  ])('A08 that are lost with their chain are missed: %s', async (_, chain) => {
    const { stored, verify } = await three()
    stored.heads.delete(chain)
    expect((await verify(withoutChain(stored.lines, chain))).findings).toEqual([
      { chain, what: 'is gone, with its head' },
    ])
  })

  it('A08 that are lost without their chain are missed', async () => {
    const { stored, verify } = await three()
    stored.heads.delete('chain-1')
    expect((await verify()).findings).toEqual([{ chain: 'chain-1', what: 'has no head any more' }])
  })

  it('A08 are missed with the row that names the newest', async () => {
    const { stored, verify } = await three()
    stored.newest = undefined
    expect((await verify()).findings).toMatchObject([{ what: expect.stringContaining('newest') }])
  })

  it('A07, A09 are sealed: one that was set to fewer lines without the key is found', async () => {
    const { stored, verify } = await three()
    const [, second] = stored.lines.map(({ text }) => readLine(text)?.mac ?? '')
    const head = { chain: 'chain-1', seq: 2, mac: second ?? '', at: START, openedAt: START }
    stored.heads.set('chain-1', sealHead(head, FOREIGN))
    const { findings } = await verify(stored.lines.toSpliced(2, 1))
    expect(findings).toMatchObject([
      { chain: 'chain-1', seq: 2, what: expect.stringContaining('head that was changed') },
    ])
    stored.newest = sealNewest({ chain: 'chain-2', at: START }, FOREIGN)
    expect((await verify()).findings).toContainEqual({ chain: 'chain-2', what: 'is falsely called the newest' })
  })

  it('A07 name a line: another one in its place is found, even with a seal of the same key', async () => {
    const { stored, verify } = await three()
    const [first] = stored.lines.map(({ text }) => readLine(text)?.mac ?? '')
    const second = readLine(stored.lines[1]?.text ?? '')
    const place = { chain: 'chain-1', at: START, prev: second?.mac ?? first ?? '', seq: 3 }
    const forged = { text: sealLine(place, { ...ENTRY, user: 'Mallory' }, TRAIL_KEY).text, stream: 'chain-1' }
    expect((await verify(stored.lines.with(2, forged))).findings).toMatchObject([
      { seq: 3, what: 'is another line than the one that the head names' },
    ])
  })

  it('that are unknown leave the ends open, and nothing else', async () => {
    const { stored } = await three()
    const verify = (lines: readonly FoundLine[]) => verifyTrail(each(lines), { keys: [TRAIL_KEY] })
    expect((await verify(stored.lines.toSpliced(2, 1))).findings).toEqual([])
    expect((await verify(stored.lines.toSpliced(1, 1))).findings).toHaveLength(1)
    expect((await verify(stored.lines.toSpliced(0, 1))).findings).toHaveLength(1)
  })

  it('of chains that are opened during a verification are read again', async () => {
    const { stored, written } = await three()
    const known = stored.known()
    await written(1)
    expect((await verifyTrail(each(stored.lines), { keys: [TRAIL_KEY], known })).findings).toEqual([])
  })

  it('allow the loss of lines that are older than the retention of the trail, and of no others', async () => {
    const { stored, clock, written, verify } = await three()
    clock.advance(86_400_000)
    await written(2)
    const rest = stored.lines.slice(7)
    expect((await verify(rest, new Date(START.getTime() + 1000))).findings).toEqual([])
    expect((await verify(stored.lines.slice(10), new Date(START.getTime() + 1000))).findings).toEqual(
      [{ line: 1, chain: 'chain-4', seq: 2, what: 'is the first one: line 1 is missing' }].map(
        ({ line: _, ...finding }) => finding,
      ),
    )
  })
})

it('a line that names another predecessor than the actual one does not follow, even with a seal of the same key', async () => {
  const { stored, written, verify } = trailWorld()
  await written(3)
  const place = { chain: 'chain-1', at: START, prev: 'x'.repeat(43), seq: 2 }
  const forged = { text: sealLine(place, ENTRY, TRAIL_KEY).text, stream: 'chain-1' }
  const { findings } = await verify(stored.lines.with(1, forged))
  const what = 'does not follow the line that it names'
  expect(findings).toEqual([2, 3].map((seq) => ({ line: seq, chain: 'chain-1', seq, what })))
})

it('a key that is no longer in the ring is named', async () => {
  const { stored, written } = trailWorld()
  await written(1)
  const { findings } = await verifyTrail(each(stored.lines), { keys: [{ ...TRAIL_KEY, kid: 'k2' }] })
  expect(findings).toMatchObject([{ what: 'is sealed with the key "k1", which AUDIT_KEYS does not have' }])
})
