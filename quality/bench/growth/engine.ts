import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { type Documents, unmarshallOptions } from '../../../lib/adapters/dynamodb/client.ts'
import { canConnect } from '../../../localstack/emulators/dynamodb.ts'
import { freePort } from '../../../test/support/free-port.ts'

/** What was asked for, by the emulator's own account. */
export interface Meter {
  readonly requests: number
  readonly items: number
  readonly units: number
}

export interface EventsEngine {
  readonly documents: Documents
  /** Since the last call. */
  take(): Meter
  /** Microseconds of all threads of the emulator so far; undefined where the system does not tell. */
  cpu(): number | undefined
  stop(): Promise<void>
}

const NOTHING: Meter = { requests: 0, items: 0, units: 0 }

/** The emulator with a database of its own. */
export async function startEngine(binary: string, file: string): Promise<EventsEngine> {
  const port = await freePort()
  const child = spawn(binary, ['serve', '--host', '127.0.0.1', '--port', `${port}`, '--db-path', file], {
    stdio: 'ignore',
  })
  while (child.exitCode === null && !(await canConnect(port))) await setTimeout(10)
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const documents = DynamoDBDocumentClient.from(client, { unmarshallOptions: { ...unmarshallOptions } })
  let meter = NOTHING
  const send = async (command: { readonly input: object }) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' })
    const answer = (await documents.send(command as never)) as Told
    meter = {
      requests: meter.requests + 1,
      items: meter.items + (answer.ScannedCount ?? 0),
      units: meter.units + (answer.ConsumedCapacity?.CapacityUnits ?? 0),
    }
    return answer
  }
  return {
    documents: { send } as Documents,
    take() {
      const taken = meter
      meter = NOTHING
      return taken
    },
    cpu: () => cpuOf(child.pid ?? 0),
    async stop() {
      client.destroy()
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

interface Told {
  readonly ScannedCount?: number
  readonly ConsumedCapacity?: { readonly CapacityUnits?: number }
}

/** The first figure of each thread is the time that it ran, in nanoseconds (Linux, Documentation/scheduler/sched-stats). */
function cpuOf(process: number): number | undefined {
  const threads = globSync(`/proc/${process}/task/*/schedstat`).map((file) => readFileSync(file, 'utf8'))
  if (threads.length === 0) return undefined
  return threads.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1000
}
