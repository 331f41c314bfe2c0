import { env } from 'node:process'
import { configuredSources } from '../infra/team-config.ts'
import { loadConfig } from '../lib/runtime/config.ts'
import { webhookSettings } from '../lib/runtime/settings/webhooks.ts'
import { explain } from '../lib/webhooks/explain/explain.ts'
import { printerFor, readOptions, runCommand, UsageError } from './command.ts'
import { localRun } from './local-run.ts'
import { readRequest } from './signatures/request.ts'

const USAGE = `npm run explain -- <provider> <file> [--at <time>] [--json]

Says why a webhook call is or would be refused: a reason and a sentence. Exit 0 when it is accepted, 1 when it is refused,
2 for arguments or a file that cannot be read.

  <provider>   as in the path; its scheme and its secret are used
  <file>       the request, either as JSON
                 { "method": "POST", "url": "https://…", "headers": { … }, "bodyBase64": "…" }
               or as it came over the wire
                 POST /webhooks/stripe
                 Stripe-Signature: t=…,v1=…
                 (an empty line, then the bytes of the body)
  --json       one object: reason and sentence
  --at <time>  judge it as at this time (ISO 8601, or seconds since the epoch) instead of now

The secrets are those of WEBHOOK_SECRETS, else those of the local data folder; WEBHOOK_TOLERANCE_SECONDS counts, and
BASE_URL stands before a path. Neither secrets nor expected signatures are printed.
`

await runCommand({ name: 'explain', usage: USAGE, failure: 2, run: explainFile })

/** @returns the exit code: 0 for an accepted call, 1 for a refused one */
async function explainFile(args: readonly string[]): Promise<number> {
  const { name, file, now, json } = readArguments(args)
  const { WEBHOOK_TOLERANCE_SECONDS: toleranceSeconds } = loadConfig({
    WEBHOOK_TOLERANCE_SECONDS: webhookSettings.WEBHOOK_TOLERANCE_SECONDS,
  })
  const run = localRun(env)
  const call = readRequest(file, run.address)
  const sources = await configuredSources()
  const { scheme, lateSeconds } = sources.sourceOf(name)
  const { maxBodyBytes } = sources.configured.get(name) ?? {}
  const receiver = { name, scheme, lateSeconds, secrets: run.webhookSecrets(), now, toleranceSeconds }
  const { reason, sentence } = explain({ ...call, maxBodyBytes }, receiver)
  printerFor(json)({ reason, sentence }, `${reason}: ${sentence}\n`)
  return reason === 'accepted' ? 0 : 1
}

interface Arguments {
  readonly name: string
  readonly file: string
  readonly now: Date
  readonly json: boolean
}

function readArguments(args: readonly string[]): Arguments {
  const options = { at: { type: 'string' }, json: { type: 'boolean', default: false } } as const
  const { values, positionals } = readOptions({ args: [...args], options, allowPositionals: true })
  const [name, file, ...more] = positionals
  if (!name || !file || more.length > 0) throw new UsageError('Name a provider and a file')
  const now = values.at === undefined ? new Date() : timeOf(values.at)
  if (Number.isNaN(now.getTime())) throw new UsageError('--at must be a time of ISO 8601, or seconds since the epoch')
  return { name: name.toLowerCase(), file, now, json: values.json }
}

function timeOf(text: string): Date {
  return new Date(/^\d{1,12}$/.test(text) ? Number(text) * 1000 : text)
}
