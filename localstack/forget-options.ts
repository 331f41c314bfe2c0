import { addressOption, readOptions, UsageError } from './command.ts'

export const FORGET_USAGE = `npm run forget -- --text TEXT [options]

Finds the webhook events whose payload or headers contain a text, such as the address of a person, and deletes these payloads.
Without --delete it only lists the events: source, id, time and type, never a payload. The search ignores case. It also finds
the text in the escapes of JSON, forms, HTML and base64, but not in compressed or encrypted data.

Options:
  --source NAME     only events from this source
  --from TIME       received at that time or later, YYYY-MM-DDTHH:mm:ss in UTC
  --to TIME         received at that time or earlier
  --delete          delete the payloads; the events stay
  --force           with --delete: end runs and deliveries that still need the payload
  --json            a line of JSON for each event, then one with the counts
  --url ADDRESS     of the service (the local run)
  --user NAME       an admin (the demo user of the local run); the password is in GATEHOUSE_PASSWORD,
                    or a token in GATEHOUSE_TOKEN
`

const OPTIONS = {
  text: { type: 'string' },
  source: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  delete: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  user: { type: 'string' },
} as const

/** The parsed options. */
export interface ForgetOptions {
  readonly text: string
  /** What the list of events is filtered by. */
  readonly filter: Readonly<Record<string, string>>
  readonly mode: 'list' | 'delete' | 'force'
  /** Undefined means the local run. */
  readonly url: URL | undefined
  readonly user: string | undefined
  readonly json: boolean
}

/** Shorter texts are found nearly everywhere. */
const SHORTEST = 3

/** Parses the arguments. @throws UsageError when they make no command */
export function readForgetCommand(args: readonly string[]): ForgetOptions {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  const { text = '', source, from, to, url, user, json } = values
  if (text.trim().length < SHORTEST) throw new UsageError(`Name a --text of at least ${SHORTEST} characters`)
  if (values.force && !values.delete) throw new UsageError('--force needs --delete')
  const given = Object.entries({ source, from, to }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return {
    text: text.trim(),
    filter: Object.fromEntries(given),
    mode: values.force ? 'force' : values.delete ? 'delete' : 'list',
    url: url === undefined ? undefined : addressOption(url),
    user,
    json,
  }
}
