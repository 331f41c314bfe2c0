import { createHash } from 'node:crypto'
import type { RetryPolicy } from '../../../lib/webhooks/retry/policy.ts'
import type { SampleMessage } from '../../../lib/webhooks/sample.ts'
import { sourceOf } from '../../../lib/webhooks/sources/catalog.ts'
import { trustStored } from '../../../lib/webhooks/verify.ts'
import { newMessage } from '../../senders/message.ts'
import { eventIdOf } from '../../senders/prove.ts'
import { SENDERS } from '../../senders/table.ts'

type SenderName = keyof typeof SENDERS

/** One incoming webhook. */
export interface StoryStep {
  /** In minutes since the story began. */
  readonly after: number
  readonly name: SenderName
  readonly event: string
  /** The values in its body, by path. */
  readonly says?: Readonly<Record<string, unknown>>
}

/** Several webhooks about one thing. */
interface Story {
  readonly steps: readonly StoryStep[]
  /** How long the handlers are faulty, in minutes since the story began. */
  readonly faultyFor?: number
  /** The process of the runs is killed during the last one. */
  readonly isCutOff?: true
}

const NAMES = Object.keys(SENDERS) as readonly SenderName[]

type Teller = (random: Random) => Story

const MINUTE = 60_000

function step(after: number, name: SenderName, event: string, says: StoryStep['says'] = {}): StoryStep {
  return { after, name, event, says }
}

/** The values that the webhooks of one purchase share. */
function purchase(random: Random) {
  const order = `order-${random.uuid('order')}`
  const cents = random.between(199, 24_999, 'cents')
  const about = { transactionId: `tx-${random.uuid('transaction')}`, amount: (cents / 100).toFixed(2) }
  const intent = {
    'data.object.id': `pi_${random.uuid('transaction')}`,
    'data.object.amount': cents,
    'data.object.metadata.orderId': order,
  }
  return {
    pays: (after: number, status: string, orderId = order) => step(after, 'payment', status, { ...about, orderId }),
    charges: (after: number, type: string) => step(after, 'stripe', type, intent),
    moves: (after: number, status: string) => step(after, 'order-status', status, { orderId: order }),
  }
}

const delivered: Teller = (random) => {
  const { pays, moves } = purchase(random)
  const shipped = random.between(60, 240, 'shipped')
  const steps = [
    pays(0, 'COMPLETED'),
    moves(2, 'CONFIRMED'),
    moves(shipped, 'SHIPPED'),
    moves(shipped + 300, 'OUT_FOR_DELIVERY'),
    moves(shipped + random.between(360, 600, 'delivered'), 'DELIVERED'),
  ]
  return { steps }
}

const paidByCard: Teller = (random) => {
  const { charges, moves } = purchase(random)
  return { steps: [charges(0, 'payment_intent.succeeded'), moves(1, 'CONFIRMED')] }
}

const declinedAtFirst: Teller = (random) => {
  const { charges } = purchase(random)
  return { steps: [charges(0, 'payment_intent.payment_failed'), charges(4, 'payment_intent.succeeded')] }
}

const returned: Teller = (random) => {
  const { pays, moves } = purchase(random)
  return { steps: [pays(0, 'COMPLETED'), moves(150, 'RETURNED'), pays(180, 'REFUNDED')] }
}

/** The network reordered the two webhooks, so the second one changes nothing. */
const refundFirst: Teller = (random) => {
  const { pays } = purchase(random)
  return { steps: [pays(0, 'REFUNDED'), pays(0.1, 'COMPLETED')] }
}

/** The second payment names another customer's order: it fails at every attempt. */
const wrongOrder: Teller = (random) => {
  const { pays } = purchase(random)
  return { steps: [pays(0, 'COMPLETED'), pays(0.2, 'REFUNDED', `order-${random.uuid('other order')}`)] }
}

/** A faulty version was deployed and rolled back: a retry succeeds. */
const faultyVersion: Teller = (random) => {
  const { charges } = purchase(random)
  return { steps: [charges(0, 'payment_intent.succeeded')], faultyFor: random.between(2, 50, 'faulty') }
}

const code: Teller = (random) => {
  const steps = [step(0, 'github', 'push'), step(3, 'github', 'pull_request'), step(40, 'github', 'push')]
  return { steps: steps.slice(0, random.between(1, 3, 'steps')) }
}

/**
 * Senders that sign the ids of their events. The bodies of the others contain the time, so the next seeding would store
 * their events again.
 */
const WITH_IDS = NAMES.filter((name) => isSigned(name) && idAt(name, 0) === idAt(name, MINUTE))

const anySender: Teller = (random) => {
  const name = random.pick<SenderName>(['demo', ...WITH_IDS], 'sender')
  return { steps: [step(0, name, random.pick(SENDERS[name].events, 'event'))] }
}

function isSigned(name: SenderName): boolean {
  const { headers, body } = messageAt(name, 0)
  return sourceOf(name).read({ headers, body: trustStored(body) }).identity.rule === 'signed-id'
}

function idAt(name: SenderName, milliseconds: number): string {
  return eventIdOf(name, messageAt(name, milliseconds))
}

function messageAt(name: SenderName, milliseconds: number): SampleMessage {
  const sender = SENDERS[name]
  return newMessage(sender, sender.events[0], { id: 'id', at: new Date(milliseconds) })
}

/** The stories, each with its frequency out of a hundred. */
const STORIES: readonly (readonly [number, Teller])[] = [
  [24, delivered],
  [18, paidByCard],
  [6, declinedAtFirst],
  [5, returned],
  [4, refundFirst],
  [4, wrongOrder],
  [5, faultyVersion],
  [14, code],
  [20, anySender],
]

/** A story of an ordinary day. */
function anyStory(random: Random): Story {
  let left = random.share('story') * 100
  const found = STORIES.find(([weight]) => {
    left -= weight
    return left < 0
  })
  return (found?.[1] ?? anySender)(random)
}

/** A story, and how long ago it began, in minutes. */
interface Dated {
  readonly story: Story
  readonly ago: number
}

/**
 * One story for each state of an event, so that even a small day has them all. The schedule of the retries dates the
 * events that wait.
 */
function everyState({ delays }: RetryPolicy, random: Random): readonly Dated[] {
  const minutes = delays.map((delay) => delay / MINUTE)
  const last = minutes.at(-1) ?? 0
  const seconds = (count: number) => count / 60
  const storyOf = (name: string, teller: Teller) => teller(random.of(name))
  const cut = (story: Story): Story => ({ ...story, isCutOff: true })
  const push: Story = { steps: [step(0, 'github', 'push')] }
  return [
    { story: push, ago: seconds(0.5) },
    { story: cut(push), ago: seconds(15) },
    { story: cut(storyOf('running', wrongOrder)), ago: (minutes[0] ?? 0) + seconds(25) },
    { story: storyOf('dead', wrongOrder), ago: last + 30 },
    ...minutes.map((delay, index) => ({
      story: storyOf(`waiting ${index}`, wrongOrder),
      ago: ((minutes[index - 1] ?? 0) + delay) / 2,
    })),
    { story: { ...storyOf('fresh', faultyVersion), faultyFor: last }, ago: (minutes[0] ?? 0) / 3 },
    { story: { ...storyOf('mended', faultyVersion), faultyFor: (minutes[0] ?? 0) + 1 }, ago: last + 20 },
    { story: storyOf('superseded', refundFirst), ago: last + 10 },
  ]
}

export interface Wanted {
  readonly events: number
  readonly hours: number
  /** Another seed makes another day. */
  readonly seed: number
  readonly policy: RetryPolicy
}

/** A story with its name and its time. */
export interface DatedStory extends Dated {
  readonly random: Random
}

/** The share of activity that many hours ago, from 0 to 1: more by day than by night, whatever the clock says. */
const rhythm = (hours: number) => 0.55 + 0.45 * Math.cos((hours / 24) * 2 * Math.PI)

/** The stories of some hours, with exactly that many webhooks in all. */
export function dayOf({ events, hours, seed, policy }: Wanted): readonly DatedStory[] {
  const all = seeded(`${seed}/${events}/${hours}`)
  const stories: DatedStory[] = []
  let left = events

  function add(dated: Dated, own: Random): void {
    const steps = dated.story.steps.filter(({ after }) => after <= dated.ago).slice(0, left)
    if (dated.ago > hours * 60 || steps.length === 0) return
    left -= steps.length
    stories.push({ ...dated, story: { ...dated.story, steps }, random: own })
  }

  for (const [index, dated] of everyState(policy, all).entries()) add(dated, all.of(`state ${index}`))
  for (let index = 0; left > 0; index++) {
    const own = all.of(`story ${index}`)
    const ago = own.share('ago') * hours * 60
    if (own.share('happens') < rhythm(ago / 60)) add({ story: anyStory(own), ago }, own)
  }
  return stories
}

/** Pseudo-random decisions that depend only on a seed and their own names, not on the order of the calls. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  share(name: string): number
  /** A whole number, both bounds inclusive. */
  between(least: number, most: number, name: string): number
  pick<T>(choices: readonly [T, ...T[]], name: string): T
  uuid(name: string): string
  /** Decisions with names of their own, independent of all others. */
  of(name: string): Random
}

export function seeded(seed: string): Random {
  const digest = (name: string) => createHash('sha256').update(`${seed}/${name}`).digest()
  const share = (name: string) => digest(name).readUInt32BE() / 2 ** 32
  return {
    share,
    between: (least, most, name) => least + Math.floor(share(name) * (most - least + 1)),
    pick: (choices, name) => choices[Math.floor(share(name) * choices.length)] ?? choices[0],
    uuid: (name) => digest(name).toString('hex').replace(UUID, '$1-$2-4$3-8$4-$5').slice(0, 36),
    of: (name) => seeded(`${seed}/${name}`),
  }
}

/** RFC 9562 section 5.4, from hexadecimal digits. */
const UUID = /^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/
