import { resolve } from 'node:path'
import { env } from 'node:process'
import { FLAG, readOptions, TEXT, UsageError } from '../command.ts'
import { benchTime, TIME_RULE } from '../lab/bench.ts'
import { openClients } from '../providers/clients.ts'
import { USERS_FILE } from '../users.ts'

const FILES = { users: TEXT, clients: TEXT, 'ready-file': TEXT } as const
const OPTIONS = { json: FLAG, dev: FLAG, strict: FLAG, clock: TEXT, ...FILES } as const

/**
 * The options of a start; files of users are noted in the environment, where every part of the run finds them.
 * @param folder from where options name files
 * @throws UsageError; ConfigError for wrong clients
 */
export function readStartOptions(folder: string) {
  const { values } = readOptions({ options: OPTIONS })
  const { users, clients, clock, 'ready-file': readyFile, ...flags } = values
  const time = benchTime(clock)
  if (clock !== undefined && !time) throw new UsageError(`--clock ${TIME_RULE}`)
  if (users !== undefined) env[USERS_FILE] = resolve(folder, users)
  const from = (file: string | undefined) => file && resolve(folder, file)
  return { ...flags, time, clients: openClients(from(clients)), readyFile: from(readyFile) }
}
