import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { snsPublisher } from '../../lib/adapters/aws/sns.ts'
import { snsBroadcast } from '../../lib/adapters/fan-out/broadcast.ts'
import { DEATH, type EmulatedEngine, emulatedEngine, fanOutInstance, type Instance } from '../support/fan-out.ts'

const MINUTE = 60_000

let engine: EmulatedEngine
let running: Instance[]

beforeEach(async () => {
  engine = await emulatedEngine()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map(({ fanOut }) => fanOut.stop()))
  await engine.stop()
})

/** An instance that does not wait until it listens. */
function begin(): Instance {
  const instance = fanOutInstance(engine.topics)
  running.push(instance)
  void instance.fanOut.start(0)
  return instance
}

async function listening(...instances: readonly Instance[]): Promise<void> {
  for (const instance of instances) {
    await soon(() => expect(instance.log.of('fan-out: listens')).toHaveLength(1), instance)
  }
}

/** Waits while time passes for these instances. */
async function soon(assertion: () => void | Promise<void>, ...instances: readonly Instance[]): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const { time } of instances) time.pass(10_000)
      await assertion()
    },
    { timeout: 20_000, interval: 20 },
  )
}

const warnings = ({ log }: Instance) => log.entries.filter(({ level }) => level !== 'info')
const queueOf = ({ log }: Instance) => log.of('fan-out: listens').at(-1)?.['queue']

describe('with a running engine', () => {
  beforeEach(async () => {
    await engine.start()
    await engine.makeTopics()
  })

  it('every instance receives every announcement once', async () => {
    const instances = [begin(), begin()]
    await listening(...instances)
    const deaths = Array.from({ length: 30 }, (_, index) => ({ ...DEATH, eventId: `${index + 10}` }))
    await Promise.all(deaths.map((death) => engine.publish(JSON.stringify(death))))
    for (const { announced: heard } of instances) {
      await vi.waitFor(() => expect(new Set(heard)).toEqual(new Set(deaths)), 20_000)
    }
  })

  it('every instance receives a message of the service once, however often it is sent', async () => {
    const instances = [begin(), begin()]
    await listening(...instances)
    const broadcast = snsBroadcast(snsPublisher(), engine.topics.messages)
    const message = { destination: '/user/queue/a', user: 'zoë', headers: { sender: 'admin' }, body: Buffer.from('é') }
    for (const id of ['m-1', 'm-1', 'm-2']) await broadcast.publish({ id, ...message })
    for (const { messages } of instances) {
      await vi.waitFor(() => expect(messages).toEqual([message, message]), 20_000)
    }
    expect(instances.flatMap(warnings)).toEqual([])
  })

  it('start resolves when the instance listens', async () => {
    const instance = fanOutInstance(engine.topics)
    running.push(instance)
    await instance.fanOut.start(MINUTE)
    expect(await engine.subscriptions()).toBe(2)
  })

  it('stop leaves no queue and no subscription', async () => {
    const instances = [begin(), begin()]
    await listening(...instances)
    await Promise.all(instances.map(({ fanOut }) => fanOut.stop()))
    expect(await engine.queueNames()).toEqual([])
    expect(await engine.subscriptions()).toBe(0)
    expect(instances.flatMap(warnings)).toEqual([])
    expect(instances.map(({ time }) => time.pending())).toEqual([0, 0])
  })

  it('stop delivers received announcements, except those of the poll that it aborts', async () => {
    const instance = begin()
    await listening(instance)
    const ids = Array.from({ length: 25 }, (_, index) => `${index}`)
    await Promise.all(ids.map((id) => engine.publish(JSON.stringify({ ...DEATH, eventId: id }))))
    await instance.fanOut.stop()
    const heard = new Set(instance.announced.map((one) => JSON.stringify(one)))
    expect(heard.size).toBe(instance.announced.length)
    expect(heard.size).toBeGreaterThanOrEqual(ids.length - 10)
  })

  it('an instance that is stopped right after its start leaves no queue and no subscription', async () => {
    const { fanOut } = begin()
    await fanOut.stop()
    expect(await engine.queueNames()).toEqual([])
    expect(await engine.subscriptions()).toBe(0)
  })

  it('Q12 a message that is neither an announcement nor a message of the service is deleted from the queue, and only its id is logged', async () => {
    const instance = begin()
    await listening(instance)
    const strange = ['no JSON', '{"id":"secret"}', 'null', JSON.stringify({ ...DEATH, at: 1 })]
    for (const text of strange) await engine.publish(text)
    await engine.publish(JSON.stringify(DEATH))
    await vi.waitFor(() => expect(instance.announced).toEqual([DEATH]), 20_000)
    await vi.waitFor(() => expect(instance.log.of('fan-out: a message of no known form')).toHaveLength(4), 20_000)
    expect(warnings(instance).map(({ fields }) => Object.keys(fields))).toEqual(strange.map(() => ['messageId']))
  })

  it('a listener that throws affects neither other listeners nor later messages', async () => {
    const instance = fanOutInstance(engine.topics)
    running.push(instance)
    instance.fanOut.onAnnouncement(() => {
      throw new Error('a bug')
    })
    void instance.fanOut.start(0)
    await listening(instance)
    await engine.publish(JSON.stringify(DEATH))
    await vi.waitFor(() => expect(instance.announced).toEqual([DEATH]), 20_000)
    await engine.publish(JSON.stringify(DEATH))
    await vi.waitFor(() => expect(instance.announced).toEqual([DEATH, DEATH]), 20_000)
    await vi.waitFor(() => expect(instance.log.of('fan-out: a listener failed')).toHaveLength(2), 20_000)
  })

  it('only the queue of a killed instance is swept when it has expired', async () => {
    const [killed, ...alive] = [begin(), begin(), begin()]
    await listening(killed, ...alive)
    killed.kill()
    running = alive
    // Time goes on for both at once, in small steps: an instance that lives has renewed its queue before another looks.
    await soon(async () => expect(await engine.subscriptions()).toBe(4), ...alive)
    await soon(async () => expect(await engine.queueNames()).toHaveLength(2), ...alive)
    expect((await engine.queueNames()).toSorted()).toEqual(alive.map(queueOf).toSorted())
    await engine.publish(JSON.stringify(DEATH))
    for (const { announced } of alive) await vi.waitFor(() => expect(announced).toEqual([DEATH]), 20_000)
    expect(alive.flatMap(warnings)).toEqual([])
  })

  it('a later instance sweeps what has expired until then', async () => {
    const killed = begin()
    await listening(killed)
    killed.kill()
    running.splice(0, 1)
    const later = fanOutInstance(engine.topics)
    running.push(later)
    later.time.pass(16 * MINUTE)
    await later.fanOut.start(MINUTE)
    await soon(() => expect(later.log.of('fan-out: swept')).toEqual([{ queues: 1, subscriptions: 2 }]))
    expect(await engine.queueNames()).toEqual([queueOf(later)])
  })
})

describe('with an engine that starts and stops', () => {
  it('an instance starts later when the engine is missing at first, and its topics even longer', async () => {
    const instance = begin()
    await soon(() => expect(warnings(instance)).toHaveLength(1), instance)
    await engine.start()
    await soon(() => expect(warnings(instance)).toHaveLength(2), instance)
    await engine.makeTopics()
    await listening(instance)
    await engine.publish(JSON.stringify(DEATH))
    await vi.waitFor(() => expect(instance.announced).toEqual([DEATH]), 20_000)
    expect(await engine.queueNames()).toEqual([queueOf(instance)])
    expect(warnings(instance).map(({ message }) => message)).toEqual(Array(2).fill('fan-out: receiving fails'))
  })

  it('start waits no longer than its limit', async () => {
    const { fanOut, time } = fanOutInstance(engine.topics)
    const started = fanOut.start(2000)
    time.pass(2000)
    await started
    await fanOut.stop()
  })

  it('instances recover after the engine was restarted without its data', async () => {
    await engine.start()
    await engine.makeTopics()
    const instances = [begin(), begin()]
    await listening(...instances)
    const before = instances.map(queueOf)

    await engine.stop()
    await engine.start()
    await engine.makeTopics()
    for (const instance of instances) {
      await soon(() => expect(instance.log.of('fan-out: listens')).toHaveLength(2), ...instances)
    }
    const after = instances.map(queueOf)
    expect(after).not.toEqual(before)
    expect((await engine.queueNames()).toSorted()).toEqual(after.toSorted())
    await engine.publish(JSON.stringify(DEATH))
    for (const { announced } of instances) await vi.waitFor(() => expect(announced).toEqual([DEATH]), 20_000)
    for (const { log } of instances) expect(log.of('fan-out: receiving works again')).toHaveLength(1)
  })

  it('stop ends soon without the engine as well', async () => {
    await engine.start()
    await engine.makeTopics()
    const instance = begin()
    await listening(instance)
    await engine.stop()
    await instance.fanOut.stop()
    expect(instance.log.of('fan-out: left to be swept').length).toBeGreaterThan(0)
  })
})
