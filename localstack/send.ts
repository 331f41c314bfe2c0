import { env, stdout } from 'node:process'
import { configuredSources } from '../infra/team-config.ts'
import type { Sample } from '../lib/webhooks/sample.ts'
import type { Catalog } from '../lib/webhooks/sources/catalog.ts'
import { runCommand } from './command.ts'
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
    return order === 'list' ? list(sources) : send(order)
  },
})

function list(sources: Catalog): number {
  const configured = [...sources.configured.keys()].map((name) => [name, senderOf(name, sources)] as const)
  const senders: readonly (readonly [string, Sample | undefined])[] = [...Object.entries(SENDERS), ...configured]
  const rows = senders.map(([name, sender]) => `${name.padEnd(18)} ${sender?.events.join(', ')}\n`)
  stdout.write(rows.sort().join(''))
  return 0
}

/** @returns the exit code: 0 when every answer was as expected */
async function send(order: SendOrder): Promise<number> {
  const run = localRun(env)
  const post = poster(order, run)
  const answers: PostResult[] = []
  for await (const { message, status } of plannedMessages(order, run)) {
    for (let copy = 0; copy < order.copies; copy++) {
      const answer = await post(message, copy === 0 ? status : 200)
      stdout.write(`${answer.eventId}  ${answer.status}  ${answer.milliseconds} ms  ${answer.text}\n`)
      answers.push(answer)
    }
  }
  const unexpected = answers.filter(({ status, expected }) => status !== expected)
  stdout.write(`${summaryOf(answers, unexpected)}\n`)
  return unexpected.length === 0 ? 0 : 1
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
