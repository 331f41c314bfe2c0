import { addressOption, readOptions, UsageError } from '../command.ts'
import type { Extras } from './deployed-stage.ts'

export const VERIFY_USAGE = `npm run verify -- --url ADDRESS [options]

Tests a deployed stage from outside. It prints a line for each check: ok, warn (a deviation that the docs name), fail, or skipped
with the reason. It exits with 1 if a check fails.

The webhook events that it names stay, with their orders and payments; their ids begin with verify-. Its calls stay in the logs,
in the audit trail and among the refusals, and a replay of --long among the replays.

  --url ADDRESS   of the stage
  --stage NAME    check its stack, too: with AWS credentials and AWS_REGION
  --burst         make 300 calls at once, and count the refused ones
  --retry         let an event fail, and wait a minute for its second attempt
  --long          replay 400 failing events in 20 steps; it takes a quarter of an hour, and alarms go off
  --json          one object, with the content of the report
  --report FILE   write the date, the address, the version and each result into FILE

Credentials come from the environment; checks without credentials are skipped. For the local run they are those of npm start.

  GATEHOUSE_TOKEN                      the token of an admin
  GATEHOUSE_USER, GATEHOUSE_PASSWORD   a user with a password; an admin if there is no token
  GATEHOUSE_PLAIN_TOKEN                the token of a user who is not an admin
  WEBHOOK_SECRETS                      the secrets of order-status and payment
`

const OPTIONS = {
  url: { type: 'string' },
  stage: { type: 'string' },
  burst: { type: 'boolean', default: false },
  retry: { type: 'boolean', default: false },
  long: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  report: { type: 'string' },
} as const

export interface VerifyOrder {
  readonly url: URL
  readonly stage: string | undefined
  readonly extras: Extras
  readonly isJson: boolean
  /** A path. */
  readonly report: string | undefined
}

/** Parses the arguments. @throws UsageError when they make no order */
export function readVerifyOrder(args: readonly string[]): VerifyOrder {
  const { values } = readOptions({ args: [...args], options: OPTIONS })
  if (values.url === undefined) throw new UsageError('Name the --url of the stage')
  const url = addressOption(values.url)
  if (url.username || url.password) throw new UsageError('--url must hold no credentials')
  if (url.pathname !== '/' || url.search || url.hash) throw new UsageError('--url must end with the host or the port')
  const { stage, burst, retry, long, json: isJson, report } = values
  if (stage !== undefined && !/^[A-Za-z][\w-]*$/.test(stage))
    throw new UsageError('--stage must be the name of a stage')
  return { url, stage, extras: { burst, retry, long }, isJson, report }
}
