import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Random, seeded } from '../../test/support/random.ts'
import { type Arrival, eventually, paid, processed, type Sent, send, startWorld, VICTIMS, type World } from './world.ts'

const KILLS = Number(env['KILLS'] ?? Object.keys(VICTIMS).length)

/** Between two kills. */
const EVENTS = 60
const SENDERS = 6

/** How long after an arrival a kill may keep it from being noted, in milliseconds. */
const UNNOTED = 5000

it('Q10 kill -9 of every process and of the whole tree while webhooks come in and are delivered: nothing that was accepted is lost, nothing is processed twice', async () => {
  const seed = Date.now() % 1_000_000
  console.log(`seed ${seed}, ${KILLS} kills`)
  const random = seeded(seed)
  const world = await startWorld()
  try {
    const sent: Sent[] = []
    const kills: number[] = []
    for (const victim of victims(random)) {
      const sending = sendAll(world, sent, random)
      await setTimeout(random.between(0, 500))
      kills.push(Date.now())
      await world.kill(VICTIMS[victim])
      console.log(`${victim} was killed, all is back after ${Date.now() - (kills.at(-1) ?? 0)} ms`)
      await sending
    }
    const events = sent.map(({ event }) => event).sort()
    const missing = () => events.filter((event) => !world.arrivals.some((arrival) => arrival.event === event))
    await eventually(async () => missing().length === 0 && (await processed(world.ready)).size >= events.length)

    expect(Object.fromEntries(await processed(world.ready))).toEqual(
      Object.fromEntries(events.map((event) => [event, 1])),
    )
    expect([...(await paid(world.ready))].sort()).toEqual(sent.flatMap(({ payment }) => payment ?? []).sort())
    expect(missing()).toEqual([])
    expect(doubled(world.arrivals, kills)).toEqual([])
  } finally {
    await world.stop()
  }
}, 1_200_000)

/** Each in its turn, in a random order at every turn. */
function* victims(random: Random): Generator<string> {
  let left: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    if (left.length === 0) left = Object.keys(VICTIMS)
    const victim = random.pick(left)
    left = left.filter((name) => name !== victim)
    yield victim
  }
}

async function sendAll({ ready }: World, sent: Sent[], random: Random): Promise<void> {
  const end = sent.length + EVENTS
  const work = async () => {
    while (sent.length < end) sent.push(await send(ready, random))
  }
  await Promise.all(Array.from({ length: SENDERS }, work))
}

/** What a destination got twice, although no kill came before its first answer could be noted. */
function doubled(arrivals: readonly Arrival[], kills: readonly number[]): readonly string[] {
  return arrivals.flatMap(({ event, at }, index) => {
    const first = arrivals.slice(0, index).find((earlier) => earlier.event === event)
    const isExcused = kills.some((kill) => first && kill >= first.at - UNNOTED && kill <= at)
    return first && !isExcused ? [event] : []
  })
}
