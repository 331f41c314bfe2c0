import { Buffer } from 'node:buffer'
import { env, stderr } from 'node:process'
import { printerFor, runCommand } from './command.ts'
import { forgetClient, type ListedEvent } from './forget-client.ts'
import { FORGET_USAGE, type ForgetOptions, readForgetCommand } from './forget-options.ts'
import { searchFor } from './forget-search.ts'
import { localRun } from './local-run.ts'
import { operatorOf } from './operator/operator.ts'
import { shownText } from './shown-text.ts'

/** How many events are looked into at once. */
const AT_ONCE = 8

await runCommand({ name: 'forget', usage: FORGET_USAGE, run: (args) => forget(readForgetCommand(args)) })

/** @returns the exit code: 0 if nothing is left to do, 3 when payloads could not be deleted */
async function forget({ text, filter, mode, url, user, json }: ForgetOptions): Promise<number> {
  const print = printerFor(json)
  const address = url ?? localRun(env).address
  const client = forgetClient(address, operatorOf(address, user, env))
  const holds = searchFor(text)
  const found: ListedEvent[] = []
  let seen = 0
  let named = 0

  async function look(event: ListedEvent): Promise<void> {
    if ([event.eventId, event.eventType].some((name) => holds(Buffer.from(name)))) named += 1
    if ((await client.textsOf(event)).some(holds)) found.push(event)
  }

  for await (const page of client.list(filter)) {
    for (let start = 0; start < page.length; start += AT_ONCE) {
      await Promise.all(page.slice(start, start + AT_ONCE).map(look))
    }
    seen += page.length
    stderr.write(`${seen} events looked at, ${found.length} with the text\n`)
  }
  for (const { source, eventId, receivedAt, eventType } of found) {
    const parts = [source, eventId, receivedAt, eventType]
    print({ source, eventId, receivedAt, eventType }, `${parts.map(shownText).join('  ')}\n`)
  }
  print(undefined, countsText(found.length, named))
  const left = mode === 'list' ? found.length : await remove(client, found, mode === 'force')
  const deleted = found.length - left
  const done = mode === 'list' ? '' : `${deleted} payloads deleted, ${left} not\n`
  print({ found: found.length, named, deleted, left }, done)
  return mode === 'list' || left === 0 ? 0 : 3
}

function countsText(found: number, named: number): string {
  const held = `${found} events hold the text in payload or headers\n`
  if (named === 0) return held
  return `${held}${named} events have the text in their id or type: an id stays, or a copy would be new\n`
}

/** @returns how many payloads could not be deleted */

async function remove(
  client: ReturnType<typeof forgetClient>,
  found: readonly ListedEvent[],
  isForced: boolean,
): Promise<number> {
  let left = 0
  for (const event of found) {
    const reason = await client.remove(event, isForced)
    if (reason === undefined) continue
    left += 1
    stderr.write(`${shownText(event.source)}  ${shownText(event.eventId)}  not deleted: ${reason}\n`)
  }
  return left
}
