import * as z from 'zod/mini'
import { unavailable } from '../../errors.ts'
import type { TrailReader, WantedLines } from '../../trail/list.ts'
import type { FoundLine } from '../../trail/seen-chains.ts'
import { type LogsClient, LogsError } from './client.ts'

const answered = z.object({
  events: z._default(z.array(z.object({ logStreamName: z.string(), message: z.string() })), []),
  nextToken: z.optional(z.string()),
})

/** What CloudWatch Logs calls a token that is none, or one of another search. */
const REFUSED_CURSOR = 'InvalidParameterException'

/** How long a search may take, in milliseconds: it reads what was written since a time. */
const TIMEOUT_MS = 8000

/** Reads the log group by time, oldest first. */
export function logsTrailReader(logs: LogsClient, logGroupName: string): TrailReader {
  async function search(input: object) {
    const given = z.parse(
      answered,
      await logs.ask('Logs_20140328.FilterLogEvents', { logGroupName, ...input }, TIMEOUT_MS),
    )
    const lines = given.events.map(({ logStreamName: stream, message: text }): FoundLine => ({ text, stream }))
    return { lines, next: given.nextToken }
  }

  return {
    async page({ since, until, wanted, limit, cursor }) {
      try {
        return await search({
          startTime: since.getTime(),
          endTime: until?.getTime(),
          filterPattern: patternOf(wanted),
          limit,
          nextToken: cursor,
        })
      } catch (error) {
        if (cursor !== undefined && error instanceof LogsError && error.code === REFUSED_CURSOR) return undefined
        throw unavailable(error)
      }
    },
  }
}

/** All lines, or those since a time. @throws Error */
export async function* everyLine(logs: LogsClient, logGroupName: string, since?: Date): AsyncGenerator<FoundLine> {
  let nextToken: string | undefined
  do {
    const input = { logGroupName, startTime: since?.getTime(), nextToken }
    const given = z.parse(answered, await logs.ask('Logs_20140328.FilterLogEvents', input, TIMEOUT_MS))
    for (const { logStreamName: stream, message: text } of given.events) yield { text, stream }
    nextToken = given.nextToken
  } while (nextToken !== undefined)
}

/** CloudWatch Logs user guide, "Filter pattern syntax", JSON. Nothing in a value ends its quotes: the query sees to that. */
function patternOf(wanted: WantedLines): string | undefined {
  const terms = Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : [`($.${name} = "${value}")`],
  )
  return terms.length === 0 ? undefined : `{ ${terms.join(' && ')} }`
}
