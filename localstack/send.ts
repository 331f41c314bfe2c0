import { env, stderr } from 'node:process'
import { styleText } from 'node:util'
import { configuredSources } from '../infra/team-config.ts'
import type { Sample } from '../lib/webhooks/sample.ts'
import type { Catalog } from '../lib/webhooks/sources/catalog.ts'
import { printerFor, runCommand } from './command.ts'
import { localRun } from './local-run.ts'
import { readSendOrder, SEND_USAGE, type SendOrder } from './send-options.ts'
import { plannedMessages } from './senders/plan.ts'
import { type PostResult, poster } from './senders/post.ts'
import { SENDERS, senderOf } from './senders/table.ts'

await runCommand({
  name: 'send',
  usage: SEND_USAGE,
  async run(args) {
    const sources = await configuredSources()
    const order = readSendOrder(args, sources)
    return 'list' in order ? list(sources, order.json) : send(order)
  },
})

function list(sources: Catalog, json: boolean): number {
  const print = printerFor(json)
  const configured = [...sources.configured.keys()].map((name) => [name, senderOf(name, sources)] as const)
  const senders = new Map<string, Sample | undefined>([...Object.entries(SENDERS), ...configured])
  const byName = [...senders].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [provider, sender] of byName) {
    const events = sender?.events ?? []
    print({ provider, events }, `${provider.padEnd(18)} ${events.join(', ')}\n`)
  }
  return 0
}

/** @returns the exit code: 0 when every answer was as expected */
async function send(order: SendOrder): Promise<number> {
  const run = localRun(env)
  const post = poster(order, run)
  const answers: PostResult[] = []
  const print = printerFor(order.json)
  noteUnknown(order)
  for await (const { message, status } of plannedMessages(order, run)) {
    for (let copy = 0; copy < order.copies; copy++) {
      const answer = await post(message, copy === 0 ? status : 200)
      print(answer, lineOf(answer))
      answers.push(answer)
    }
  }
  const unexpected = answers.filter(({ status, expected }) => status !== expected)
  print(undefined, `${summaryOf(answers, unexpected)}\n`)
  return unexpected.length === 0 ? 0 : 1
}

/** Any event can be sent; only those of the samples have a body of their own. */
function noteUnknown({ event, sender: { events } }: SendOrder): void {
  if (!events.includes(event)) stderr.write(`${event} is no event of the samples: its body is that of ${events[0]}\n`)
}

function lineOf({ eventId, status, expected, milliseconds, text }: PostResult): string {
  const shown = styleText(status === expected ? 'green' : 'red', String(status))
  return `${eventId}  ${shown}  ${milliseconds} ms  ${text}\n`
}

function summaryOf(answers: readonly PostResult[], unexpected: readonly PostResult[]): string {
  const times = answers.map(({ milliseconds }) => milliseconds)
  const total = times.reduce((sum, time) => sum + time, 0)
  const speed = `${Math.round(total / times.length)} ms on average, at most ${Math.max(...times)} ms`
  const summary = `${answers.length} sent, ${answers.length - unexpected.length} answered as expected, ${speed}`
  const [first] = unexpected
  if (!first) return summary
  const remedy = first.status === 429 ? ': WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE=0 lets all through' : ''
  return `${summary}; ${first.status} came for ${first.expected}${remedy}`
}
